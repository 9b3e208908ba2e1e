// A puff, thinner towards its rim and where it enters matter.
flat in vec3 center;
flat in float pixel_radius;
flat in float lit;
uniform vec3 color;
uniform float opacity;
uniform vec2 solids_per_pixel;
layout(binding = 0) uniform sampler2D solids;
layout(location = 0) out vec4 puff;

void main() {
  vec2 off = (gl_FragCoord.xy - pixel_of(center)) / pixel_radius;
  float profile = max(0.0, 1.0 - dot(off, off));
  float depth = pixel_radius / pixels_per_unit(center.z);
  float behind = texelFetch(solids, ivec2(gl_FragCoord.xy * solids_per_pixel), 0).w - center.z;
  float cover = (1.0 - exp(-opacity * profile * profile)) * smoothstep(-depth, depth, behind);
  vec3 light = vec3(0.42, 0.46, 0.52) * (0.55 + 0.45 * sqrt(lit)) + 0.85 * key_light * lit;
  puff = vec4(color * light * cover, cover);
}
