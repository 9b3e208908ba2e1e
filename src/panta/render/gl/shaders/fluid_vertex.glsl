// A particle of a liquid, or several particles gathered in one; `size` scales its radius.
layout(location = 0) in vec3 position;
layout(location = 1) in float size;
layout(location = 2) in float count;
uniform float radius;
flat out vec3 center;
flat out float pixel_radius;
flat out float own_radius;
flat out float gathered;

void main() {
  center = to_view(position);
  gathered = count;
  own_radius = radius * size;
  pixel_radius = max(own_radius * pixels_per_unit(max(center.z, 1e-6)), 0.5);
  bool hidden = !(center.z > own_radius);  // behind the eye, or NaN
  gl_PointSize = 2.0 * pixel_radius + 1.0;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : to_clip(center);
}
