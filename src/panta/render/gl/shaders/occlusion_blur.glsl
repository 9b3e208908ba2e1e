// Removes noise from the openness, within one surface.
layout(binding = 0) uniform sampler2D openness;
uniform float reach;
layout(location = 0) out vec2 blurred;

void main() {
  vec2 here = texelFetch(openness, ivec2(gl_FragCoord.xy), 0).xy;
  blurred = here;
  if (here.y >= far_away) return;
  float sum = 0.0, weights = 0.0;
  for (int y = -2; y < 2; ++y)
    for (int x = -2; x < 2; ++x) {
      vec2 there = texelFetch(openness, clamp(ivec2(gl_FragCoord.xy) + ivec2(x, y), ivec2(0),
                                              ivec2(frame_size) - 1), 0).xy;
      float weight = abs(there.y - here.y) < 0.25 * reach ? 1.0 : 1e-3;
      sum += weight * there.x;
      weights += weight;
    }
  blurred.x = sum / weights;
}
