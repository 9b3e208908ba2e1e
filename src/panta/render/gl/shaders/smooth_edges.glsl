// Smooths jagged edges in pictures with one sample per pixel: a pixel that differs strongly from
// its neighbours is averaged along the edge, which is normal to the largest change.
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

vec3 seen(vec2 pixel) { return texture(picture, pixel / frame_size).rgb; }
float bright(vec2 pixel) { return dot(seen(pixel), vec3(0.30, 0.59, 0.11)); }

void main() {
  vec2 p = gl_FragCoord.xy;
  color = vec4(seen(p), 1.0);
  vec2 change = vec2(bright(p + vec2(1, 0)) - bright(p - vec2(1, 0)),
                     bright(p + vec2(0, 1)) - bright(p - vec2(0, 1)));
  float contrast = length(change);
  if (contrast < 0.06) return;
  vec2 along = vec2(-change.y, change.x) / contrast;
  vec3 mean = 0.25 * (seen(p - 1.5 * along) + seen(p - 0.5 * along) + seen(p + 0.5 * along) +
                      seen(p + 1.5 * along));
  color.rgb = mix(color.rgb, mean, smoothstep(0.06, 0.16, contrast));
}
