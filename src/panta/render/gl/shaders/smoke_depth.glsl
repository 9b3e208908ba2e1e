// Optical depth of the smoke up to four depths behind its front.
flat in vec3 center;
flat in float pixel_radius;
flat in float lit;
uniform float opacity, span;
layout(binding = 1) uniform sampler2D first_depths;
layout(location = 0) out vec4 sums;

void main() {
  vec2 off = (gl_FragCoord.xy - pixel_of(center)) / pixel_radius;
  float profile = max(0.0, 1.0 - dot(off, off));
  float s = (center.z - texelFetch(first_depths, ivec2(gl_FragCoord.xy), 0).x) / span;
  vec4 counts = smoothstep(vec4(0.125, 0.3, 0.6, 1.0) + 0.05, vec4(0.125, 0.3, 0.6, 1.0) - 0.05,
                           vec4(s));
  sums = counts * opacity * profile * profile;
}
