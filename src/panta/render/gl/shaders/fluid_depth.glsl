// The front of a liquid particle; blending keeps the nearest.
flat in vec3 center;
flat in float pixel_radius;
flat in float own_radius;
flat in float gathered;
layout(location = 0) out float depth;

void main() {
  vec2 off = (gl_FragCoord.xy - pixel_of(center)) / pixel_radius;
  float across = dot(off, off);
  if (across > 1.0) discard;
  depth = center.z - own_radius * sqrt(1.0 - across);
}
