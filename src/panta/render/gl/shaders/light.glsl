// Light on matter and on the floor: a key light with shadows that are softer farther from their
// caster, tinted behind liquid or glass, and light from the visible part of the sky.
layout(binding = 0) uniform sampler2D facings;
layout(binding = 1) uniform sampler2D paints;
layout(binding = 2) uniform sampler2D openness;
layout(binding = 3) uniform sampler2D shadow_depths;
layout(binding = 4) uniform sampler2D clear_matter;  // seen by the light: optical depth, metres
layout(binding = 5) uniform sampler2D clear_depths;
layout(binding = 6) uniform sampler2D smoke;  // its optical depth in the last channel
uniform vec3 light_eye, light_right, light_up, light_forward;
uniform float light_focal, light_nearest;
uniform vec3 middle;  // of the picture's content
uniform float extent;     // m, its diagonal
uniform float detail;     // m, the finest that shadows show
uniform bool has_floor, has_shadows, has_smoke;
layout(location = 0) out vec3 color;

const int shadow_taps = 12, blocker_taps = 8, clear_taps = 6;
const float lamp_width = 0.10;  // of its distance

vec3 background(float height) {
  return has_floor ? mix(horizon_light, backdrop_light, smoothstep(0.35, 1.15, height))
                   : horizon_light;
}

float shadow_z(vec2 uv) { return (1.0 - texture(shadow_depths, uv).x) / light_nearest; }

vec3 lamp(vec3 place, vec3 n) {
  if (!has_shadows) return vec3(1.0);
  float slant = sqrt(max(0.0, 1.0 - pow(max(dot(n, -light_forward), 0.0), 2.0)));
  vec3 d = place + n * (detail * (0.25 + 1.2 * slant)) - light_eye;
  float z = dot(d, light_forward);
  vec2 uv = 0.5 + 0.5 * light_focal * vec2(dot(d, light_right), dot(d, light_up));
  if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) return vec3(1.0);
  float turn = pixel_noise(gl_FragCoord.xy), bias = 0.6 * detail;
  float per_metre = 0.5 * light_focal;
  float search = max(0.035 * extent, 2.0 * detail), blocker = 0.0, blockers = 0.0;
  for (int k = 0; k < blocker_taps; ++k) {
    float there = shadow_z(uv + search * per_metre * spiral(k, blocker_taps, turn));
    if (there < z - bias) blocker += there, blockers += 1.0;
  }
  float open = 1.0;
  if (blockers > 0.0) {
    float soft = clamp(lamp_width * (z - blocker / blockers), detail, search);
    float lit = 0.0;
    for (int k = 0; k < shadow_taps; ++k)
      lit += smoothstep(-2.0 * bias, -bias, shadow_z(uv + soft * per_metre *
                                                     spiral(k, shadow_taps, turn)) - z);
    open = lit / float(shadow_taps);
  }
  vec4 matter = vec4(0.0);
  for (int k = 0; k < clear_taps; ++k) {
    vec2 at = uv + 2.0 * detail * per_metre * spiral(k, clear_taps, turn);
    matter += texture(clear_matter, at) *
              smoothstep(0.0, 2.0 * detail, z - texture(clear_depths, at).x);
  }
  matter = max(matter / float(clear_taps), 0.0);
  float surfaces = 1.0 - 0.22 * (1.0 - exp(-matter.w / detail));
  if (has_smoke) open *= exp(-texture(smoke, uv).w);
  return open * surfaces * exp(-0.8 * matter.rgb);
}

void main() {
  vec2 uv = gl_FragCoord.xy / frame_size;
  vec4 facing = texelFetch(facings, ivec2(gl_FragCoord.xy), 0);
  color = background(uv.y);
  if (facing.w >= far_away) return;
  vec4 paint = texelFetch(paints, ivec2(gl_FragCoord.xy), 0);
  vec3 albedo = paint.rgb * paint.rgb, n = facing.xyz;
  vec3 at = view_at(gl_FragCoord.xy, facing.w);
  vec3 place = eye + to_world(at);
  bool is_floor = paint.a > 0.99;
  float open = texture(openness, uv).x;
  vec2 from_middle = (place - middle).xz / extent;
  float fade = is_floor ? smoothstep(0.7, 2.6, length(from_middle)) : 0.0;
  if (fade >= 1.0) return;
  vec3 arrives = lamp(place, n);
  vec3 towards_light = -light_forward;
  vec3 ambient = mix(vec3(0.34, 0.33, 0.32), vec3(0.56, 0.61, 0.68), 0.5 + 0.5 * n.y) *
                 (open * (0.5 + 0.5 * open));
  float facing_light = max(0.0, (dot(n, towards_light) + 0.1) / 1.1);
  vec3 lit = albedo * (ambient + 0.80 * key_light * arrives * facing_light);
  if (!is_floor && paint.a > 0.0) {
    vec3 towards_eye = -to_world(look_along(gl_FragCoord.xy));
    float mirror = fresnel(dot(n, towards_eye), 1.45) * paint.a * open;
    lit = mix(lit, sky_mirror(reflect(-towards_eye, n), towards_light), mirror);
    vec3 middle_way = normalize(towards_light + towards_eye);
    lit += key_light * arrives * (0.45 * paint.a * pow(max(0.0, dot(n, middle_way)), 60.0));
  }
  color = mix(lit, color, fade);
}
