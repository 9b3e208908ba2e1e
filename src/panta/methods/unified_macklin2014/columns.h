// The columns of the unified method.
#pragma once

#include "panta/particles/standard_columns.h"

namespace panta::unified {

// Liquids: the mean multiplier of the density constraint in the last step, from which frames take
// the pressure. Grains: the number of contacts in the last iteration; +0.5 flags static friction
// (KeptContacts).
inline ColumnInfo multiplier_or_contacts_column() {
  return {.name = "multiplier_or_contacts",
          .doc = "liquids: density multiplier; grains: contacts of the last iteration",
          .merge = Merge::heavier,
          .packed_in = "velocity"};
}

// Initial over-density of liquids (Allowance in constraints/density.h).
inline ColumnInfo allowance_column() {
  return {.name = "allowance",
          .doc = "1 + the over-density that is allowed; 0: the particle is new",
          .merge = Merge::none};
}

// What corrects the pushes of the density constraint: S, A and f of constraints/push_correction.h.
inline ColumnInfo push_stress_column() {
  return {.name = "push_stress",
          .type = ColumnType::symmetric,
          .unit = "m2/s2",
          .doc = "stress that makes that of the pushes isotropic",
          .merge = Merge::none};
}
inline ColumnInfo push_potential_column() {
  return {.name = "push_potential",
          .type = ColumnType::vector,
          .unit = "m2/s2",
          .doc = "its curl takes that of the pushes away",
          .merge = Merge::none};
}
inline ColumnInfo push_correction_column() {
  return {.name = "push_correction",
          .type = ColumnType::vector,
          .unit = "m/s2",
          .doc = "force of both, for a particle of the lightest material",
          .merge = Merge::none};
}

// Where the slip of grains and bodies counts from (constraints/contact.h), and for how long.
inline ColumnInfo anchor_column() {
  return {.name = "anchor",
          .type = ColumnType::vector,
          .unit = "m",
          .doc = "where slip counts from",
          .merge = Merge::heavier};
}
inline ColumnInfo anchor_age_column() {
  return {.name = "anchor_age",
          .unit = "s",
          .doc = "for how long the anchor has been there",
          .merge = Merge::heavier,
          .packed_in = "anchor"};
}

// Grains grow to theirs (grain_sizes.h).
inline ColumnInfo radius_column(double spacing) {
  ColumnInfo info = standard_columns::radius();
  info.initial = {static_cast<float>(0.5 * spacing)};
  info.merge = Merge::heavier;  // what a grain weighs does not make it larger
  return info;
}

// Beside standard_columns::start(), for materials with a rest distance
// (constraints/contact_filter.h).
inline ColumnInfo start_material_column() {
  return {.name = "start_material",
          .doc = "number of the material it started with",
          .merge = Merge::heavier,
          .packed_in = "start"};
}

}  // namespace panta::unified
