// One direction of the narrow-range filter of Truong and Yuksel (2018): depths are averaged over a
// Gaussian window whose width is given in space. Neighbours far in front belong to another surface:
// they and their mirror images are skipped. Neighbours far behind count as slightly behind, so that
// the surface bends back at its rim.
layout(binding = 0) uniform sampler2D depths;  // x: depth, y: share of cover
uniform vec2 direction;  // pixels, unit
uniform float width;     // m, half the window
uniform int pairs;  // of taps, at most
uniform float threshold, clamped;  // m
layout(location = 0) out vec2 filtered;

float tap(vec2 pixel, float z) {
  float there = texelFetch(depths, ivec2(clamp(pixel, vec2(0.5), frame_size - 0.5)), 0).x;
  return there > z + threshold ? z + clamped : there;
}

void main() {
  filtered = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).xy;
  float z = filtered.x;
  if (z >= far_away) return;
  float reach = width * pixels_per_unit(z);
  int used = min(pairs, int(ceil(reach)));
  float stride = reach / float(used);
  float sum = z, weights = 1.0;
  for (int k = 1; k <= used; ++k) {
    vec2 offset = direction * round(stride * float(k));
    float ahead = tap(gl_FragCoord.xy + offset, z), behind = tap(gl_FragCoord.xy - offset, z);
    if (min(ahead, behind) < z - threshold) continue;
    float t = float(k) / float(used);
    float weight = exp(-2.5 * t * t);
    sum += weight * (ahead + behind);
    weights += 2.0 * weight;
  }
  filtered.x = sum / weights;
}
