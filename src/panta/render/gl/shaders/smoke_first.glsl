// The front of the smoke, seen from the light.
flat in vec3 center;
flat in float pixel_radius;
flat in float lit;
layout(location = 0) out float depth;

void main() { depth = center.z; }
