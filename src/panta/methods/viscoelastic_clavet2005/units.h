// The paper's units and SI.
//
// The paper measures time in frames of 1/30 s and does not print its length; here it is the support
// radius h. A quantity q in the paper's units is q (unit of length)^a (unit of time)^b in SI:
//
//   k, k_near   displacement per time squared and density sum    h / tau^2     m/s2
//   k_spring    displacement per time squared and length         1 / tau^2     1/s2
//   alpha       rate of plastic flow                             1 / tau       1/s
//   sigma       linear viscosity                                 1 / tau       1/s
//   beta        quadratic viscosity                              1 / h         1/m
//   gamma, rho0                                                  1             -
#pragma once

namespace panta::viscoelastic {

inline constexpr double paper_time = 1.0 / 30;  // s

struct Units {
  double length = 1, time = 1;  // m, s

  static Units paper(double support) { return {support, paper_time}; }

  double acceleration(double q) const { return q * length / (time * time); }
  double stiffness(double q) const { return q / (time * time); }
  double rate(double q) const { return q / time; }
  double per_length(double q) const { return q / length; }
};

}  // namespace panta::viscoelastic
