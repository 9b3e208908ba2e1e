// A particle as a point sprite large enough for its sphere.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 2) in vec3 normal;
layout(location = 3) in float growth;  // size - 1
uniform float radius, disc_radius;
flat out vec3 center;
flat out vec3 particle_color;
flat out vec3 particle_normal;
flat out float own_radius;

void main() {
  center = to_view(position);
  particle_color = color;
  particle_normal = normal;
  float reach = (1.0 + growth) * (dot(normal, normal) > 0.0 ? disc_radius : radius);
  own_radius = reach;
  bool hidden = !(center.z > reach);  // behind the eye, or NaN
  float slant = parallel ? 1.0 : length(vec3(center.xy / center.z, 1.0));
  gl_PointSize = 2.0 * slant * reach * pixels_per_unit(max(center.z - reach, 1e-6)) + 1.0;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : to_clip(center);
}
