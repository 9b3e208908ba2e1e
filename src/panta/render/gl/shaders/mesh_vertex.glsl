layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat3 rotation;
uniform vec3 offset;
out vec3 view_position;
out vec3 world_normal;

void main() {
  view_position = to_view(rotation * position + offset);
  world_normal = rotation * normal;
  gl_Position = to_clip(view_position);
}
