// The floor, up to the horizon.
uniform float floor_height;
uniform float grid_step;  // m
layout(location = 0) out vec4 facing;
layout(location = 1) out vec4 paint;

// Fraction of a pixel of width `footprint` that the grid lines cover along one axis.
float grid_line(float x, float footprint, float line_width) {
  float from_line = abs(x - grid_step * round(x / grid_step));
  float soft = max(footprint, 1e-9);
  return clamp((0.5 * line_width - from_line) / soft + 0.5, 0.0, 1.0) *
         clamp(0.25 * grid_step / soft, 0.0, 1.0);
}

void main() {
  vec2 plane = picture_plane(gl_FragCoord.xy);
  vec3 origin = eye + (parallel ? to_world(vec3(plane, 0.0)) : vec3(0.0));
  vec3 ray = to_world(parallel ? vec3(0.0, 0.0, 1.0) : vec3(plane, 1.0));
  float z = (floor_height - origin.y) / ray.y;
  if (!(z > 0.0) || z > 1e6) discard;
  vec3 hit = origin + ray * z;
  float pixel = 1.0 / pixels_per_unit(z);
  float stretched = pixel / max(0.05, abs(normalize(ray).y));
  float grid = max(grid_line(hit.x, 0.5 * (pixel + stretched), 1.6 * pixel),
                   grid_line(hit.z, 0.5 * (pixel + stretched), 1.6 * pixel));
  facing = vec4(0.0, ray.y < 0.0 ? 1.0 : -1.0, 0.0, z);
  paint = vec4(sqrt(mix(vec3(0.47, 0.475, 0.48), vec3(0.30, 0.31, 0.33), 0.6 * grid)), 1.0);
  gl_FragDepth = buffer_depth(z);
}
