// The liquid's surface from its filtered depths. Of the two slopes on either side the smaller one
// is used, so that a rim does not tilt the surface; jumps on both sides give no slope.
layout(binding = 0) uniform sampler2D depths;  // x: depth, y: share of cover
uniform float softness;  // m, over which cover falls at a rim
uniform float steepest;  // m, between pixels of one surface
layout(location = 0) out vec4 facing;  // xyz: world normal times share of cover, w: depth

float depth_at(ivec2 pixel) {
  return texelFetch(depths, clamp(pixel, ivec2(0), ivec2(frame_size) - 1), 0).x;
}
vec3 slope(ivec2 pixel, vec3 here, ivec2 step_by) {
  float ahead = depth_at(pixel + step_by), behind = depth_at(pixel - step_by);
  bool use_ahead = abs(ahead - here.z) < abs(behind - here.z);
  float sign_of = use_ahead ? 1.0 : -1.0, there = use_ahead ? ahead : behind;
  if (abs(there - here.z) > steepest) there = here.z;
  return sign_of * (view_at(gl_FragCoord.xy + sign_of * vec2(step_by), there) - here);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 found = texelFetch(depths, pixel, 0).xy;
  float z = found.x, rim_pixels = softness * pixels_per_unit(z);
  float cover = clamp((found.y - 0.5) * 0.5 * rim_pixels + 0.5, 0.0, 1.0);
  facing = vec4(0.0, 0.0, 0.0, far_away);
  if (z >= far_away || cover <= 0.0) return;
  vec3 here = view_at(gl_FragCoord.xy, z);
  vec3 along_x = slope(pixel, here, ivec2(1, 0)), along_y = slope(pixel, here, ivec2(0, 1));
  vec3 n = normalize(cross(along_y, along_x));
  facing = vec4(to_world(n) * max(cover, 0.01), z);
}
