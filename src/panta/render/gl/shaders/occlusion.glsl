// Ambient occlusion: the fraction of the sky that is visible from a point.
layout(binding = 0) uniform sampler2D solids;
uniform vec2 solids_per_pixel;
uniform vec2 solids_size;
uniform float reach;  // m
layout(location = 0) out vec2 open;  // and the depth that belongs to it

const int taps = 10;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy * solids_per_pixel);
  vec4 here = texelFetch(solids, pixel, 0);
  open = vec2(1.0, here.w);
  if (here.w >= far_away) return;
  vec3 at = view_at(gl_FragCoord.xy, here.w);
  vec3 n = vec3(dot(here.xyz, right), dot(here.xyz, up), dot(here.xyz, forward));
  float pixels = clamp(reach * pixels_per_unit(here.w), 3.0, 0.12 * frame_size.y);
  float turn = pixel_noise(gl_FragCoord.xy), blocked = 0.0;
  for (int k = 0; k < taps; ++k) {
    vec2 there = gl_FragCoord.xy + pixels * spiral(k, taps, turn);
    if (any(lessThan(there, vec2(0.0))) || any(greaterThanEqual(there, frame_size))) continue;
    float z = texelFetch(solids, ivec2(there * solids_per_pixel), 0).w;
    if (z >= far_away) continue;
    vec3 to_tap = view_at(there, z) - at;
    float away = length(to_tap);
    float nearby = 1.0 - smoothstep(reach, 2.0 * reach, away);
    blocked += max(0.0, dot(to_tap, n) / max(away, 1e-9) - 0.1) * nearby;
  }
  open.x = max(0.0, 1.0 - 2.0 * blocked / float(taps));
}
