// One direction of a blur of the liquid's cover, so that single particles are not visible at its
// rim. Pixels beside the liquid get the mean depth of the liquid's pixels, for a rim that moves
// outwards.
layout(binding = 0) uniform sampler2D depths;  // x: depth, y: share of cover
uniform vec2 direction;  // pixels, unit
uniform float width;     // m, half the window
uniform bool first;  // the input contains only depths
uniform float typical_depth;  // m, of the liquid, for pixels without depth
layout(location = 0) out vec2 covered;

const int pairs = 4;

vec2 tap(vec2 pixel) {
  vec2 there = texelFetch(depths, ivec2(clamp(pixel, vec2(0.5), frame_size - 0.5)), 0).xy;
  return first ? vec2(there.x, there.x < far_away ? 1.0 : 0.0) : there;
}

void main() {
  vec2 here = tap(gl_FragCoord.xy);
  float guess = min(here.x, typical_depth);
  float stride = width * pixels_per_unit(guess) / float(pairs);
  float cover = here.y, weights = 1.0, depth = here.y > 0.0 ? here.x * here.y : 0.0;
  for (int k = 1; k <= pairs; ++k) {
    vec2 offset = direction * max(round(stride * float(k)), float(k));
    vec2 ahead = tap(gl_FragCoord.xy + offset), behind = tap(gl_FragCoord.xy - offset);
    float t = float(k) / float(pairs);
    float weight = exp(-2.5 * t * t);
    cover += weight * (ahead.y + behind.y);
    depth += weight * ((ahead.y > 0.0 ? ahead.x * ahead.y : 0.0) +
                       (behind.y > 0.0 ? behind.x * behind.y : 0.0));
    weights += 2.0 * weight;
  }
  covered = vec2(here.y > 0.0 ? here.x : cover > 0.0 ? depth / cover : far_away, cover / weights);
}
