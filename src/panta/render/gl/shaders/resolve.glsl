// From light to the file's colours: the mean of a pixel's samples, compressed highlights, sRGB.
layout(binding = 0) uniform sampler2D picture;
uniform int samples;
uniform int margin;  // pixels around the picture that are cut off
layout(location = 0) out vec4 color;

// Linear up to most of white, then with a decreasing slope.
vec3 rolled_off(vec3 c) {
  const float knee = 0.82;
  vec3 over = max(c - knee, 0.0);
  return min(c, knee) + (1.0 - knee) * (1.0 - exp(-over / (1.0 - knee)));
}

void main() {
  vec3 sum = vec3(0.0);
  ivec2 first = (ivec2(gl_FragCoord.xy) + margin) * samples;
  for (int y = 0; y < samples; ++y)
    for (int x = 0; x < samples; ++x)
      sum += rolled_off(texelFetch(picture, first + ivec2(x, y), 0).rgb);
  vec3 mean = sum / float(samples * samples);
  vec3 encoded = mix(12.92 * mean, 1.055 * pow(mean, vec3(1.0 / 2.4)) - 0.055,
                     step(0.0031308, mean));
  color = vec4(encoded, 1.0);
}
