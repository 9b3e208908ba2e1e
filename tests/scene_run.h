// Runs a bundled scene at a small size and checks conditions that hold for every scene: particles
// are counted exactly and none is inside solid matter.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "panta/load/load.h"
#include "panta/run/probes.h"
#include "panta/run/stats.h"
#include "panta/run/timeline.h"

namespace panta {

class SceneRun {
 public:
  SceneRun(const std::string& name, const std::vector<std::string>& settings)
      : scene_(load_scene(std::string(PANTA_SOURCE_DIR) + "/scenes/" + name + ".json", settings)),
        timeline_(scene_),
        sim_(make_simulation(scene_, {"cpu", 1, false})),
        initial_(sim_->size()) {
    measure();
  }

  void advance(double until) {
    timeline_.advance(*sim_, until);
    measure();
    EXPECT_EQ(frame_.size(), initial_ + sim_->emitted() - sim_->removed());
    std::size_t free = 0;
    for (const Body& body : scene_.bodies) {
      const Pose pose = body.free ? pose_of(frame_.bodies.at(free++)) : pose_at(body.motion, until);
      for (const Vec3& x : frame_.position()) {
        if (in_a_nozzle(x)) continue;
        const float d = distance(body.shape, pose.to_own(x)).value;
        EXPECT_GT(body.hollow ? -d : d, -0.1 * scene_.spacing)
            << x.x << " " << x.y << " " << x.z << " in " << body.name << " at " << until << " s";
      }
    }
  }

  // A component of a probe's value; 0 for probes of one number.
  double probe(const std::string& name, std::size_t component = 0) const {
    return values_.at(name).at(component);
  }
  double volume_of(std::uint64_t particles) const {
    return static_cast<double>(particles) * std::pow(scene_.spacing, 3);
  }
  double spacing() const { return scene_.spacing; }
  const FrameStats& stats() const { return stats_; }
  const ParticleFrame& frame() const { return frame_; }
  const Simulation& sim() const { return *sim_; }

 private:
  static Pose pose_of(const BodyPose& body) {
    Pose pose;
    pose.rotation = rotation(body.rotation);
    pose.position = to_float(body.position);
    return pose;
  }

  // Whether x is behind an emitter's profile, where particles have a prescribed motion.
  bool in_a_nozzle(const Vec3& x) const {
    return std::any_of(scene_.emitters.begin(), scene_.emitters.end(), [&](const Emitter& e) {
      const Vec3 d = x - e.at;
      return dot(d, e.direction) < 0 && length(d) < 4 * static_cast<float>(scene_.spacing);
    });
  }

  void measure() {
    frame_ = sim_->snapshot();
    values_.clear();
    for (const ProbeValue& probe : measure_probes(scene_, *sim_, frame_))
      if (!probe.value.empty()) values_[probe.name] = probe.value;
    stats_ = compute_stats(*sim_, frame_, scene_.gravity);
  }

  Scene scene_;
  Timeline timeline_;
  std::unique_ptr<Simulation> sim_;
  std::uint64_t initial_;
  ParticleFrame frame_;
  FrameStats stats_;
  std::map<std::string, std::vector<double>> values_;
};

}  // namespace panta
