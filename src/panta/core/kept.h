// Cache of values that take long to compute, by key. When the list is built again, it takes over
// the values of the previous list.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace panta {

template <class Key, class Value>
class Kept {
 public:
  // The value of `key`: from this list, from `before` (which may be null), or new from make().
  template <class Make>
  const Value& get(const Key& key, const Kept* before, const Make& make) {
    std::shared_ptr<const Value> value = find(key);
    if (value) return *value;
    if (before) value = before->find(key);
    if (!value) value = std::make_shared<const Value>(make());
    entries_.emplace_back(key, value);
    return *value;
  }

 private:
  std::shared_ptr<const Value> find(const Key& key) const {
    for (const auto& [known, value] : entries_)
      if (known == key) return value;
    return nullptr;
  }

  std::vector<std::pair<Key, std::shared_ptr<const Value>>> entries_;
};

}  // namespace panta
