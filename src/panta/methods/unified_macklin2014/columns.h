// The columns of the unified method.
#pragma once

#include "panta/core/field.h"
#include "panta/particles/standard_columns.h"

namespace panta::unified {

// Liquids: the mean multiplier of the density constraint in the last step, after the step times
// tr(M)/dim (constraints/push_correction.h), from which frames take the pressure. Grains: the
// number of contacts in the last iteration; +0.5 flags static friction (KeptContacts in
// constraints/contact_class.h).
inline ColumnInfo multiplier_or_contacts_column() {
  return {.name = "multiplier_or_contacts",
          .doc = "liquids: density multiplier; grains: contacts of the last iteration",
          .merge = Merge::heavier,
          .packed_in = "velocity"};
}
PANTA_HD float multiplier_or_contacts(const Vec4& velocity) { return velocity.w; }
template <class D>
PANTA_HD float multiplier_or_contacts(const Field4View<D>& velocity, Index i) {
  return velocity.w(i);
}

// Initial over-density of liquids (Allowance in constraints/density.h).
inline ColumnInfo allowance_column() {
  return {.name = "allowance",
          .doc = "1 + the over-density that is allowed; 0: the particle is new",
          .merge = Merge::none};
}

// Correction of the pushes of the density constraint: S, A and f of constraints/push_correction.h.
inline ColumnInfo push_stress_column() {
  return {.name = "push_stress",
          .type = ColumnType::symmetric,
          .unit = "m2/s2",
          .doc = "correction that makes the stress of the pushes isotropic",
          .merge = Merge::none};
}
inline ColumnInfo push_potential_column() {
  return {.name = "push_potential",
          .type = ColumnType::vector,
          .unit = "m2/s2",
          .doc = "potential of the force that removes the curl of the pushes",
          .merge = Merge::none};
}
inline ColumnInfo push_correction_column() {
  return {.name = "push_correction",
          .type = ColumnType::vector,
          .unit = "m/s2",
          .doc = "correction force, for a particle of the lightest material",
          .merge = Merge::none};
}

// Reference positions of the slip of grains and bodies (constraints/contact.h), and their age.
inline ColumnInfo anchor_column() {
  return {.name = "anchor",
          .type = ColumnType::vector,
          .unit = "m",
          .doc = "position from which slip is measured",
          .merge = Merge::heavier};
}
inline ColumnInfo anchor_age_column() {
  return {.name = "anchor_age",
          .unit = "s",
          .doc = "age of the anchor",
          .merge = Merge::heavier,
          .packed_in = "anchor"};
}

// Grains grow to their final radius (grain_sizes.h).
inline ColumnInfo radius_column(double spacing) {
  ColumnInfo info = standard_columns::radius();
  info.initial = {static_cast<float>(0.5 * spacing)};
  info.merge = Merge::heavier;  // the mass of a grain does not change its size
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
