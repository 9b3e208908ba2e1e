#include "panta/io/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

static_assert(std::endian::native == std::endian::little, "checkpoints are little endian");

namespace {

constexpr std::string_view magic = "PANTACKP";
constexpr const char* start_again = "start the run again with --overwrite instead of --resume";

std::uint32_t checksum(const void* data, std::size_t bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), bytes));
}

class HeaderWriter {
 public:
  template <class T>
  void value(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(magic);
};

std::string header_bytes(const CheckpointInfo& info, const State& state,
                         const std::vector<std::uint32_t>& checksums, std::uint64_t file_size) {
  HeaderWriter header;
  header.value(checkpoint_format);
  header.text(info.version);
  header.value(file_size);
  for (const std::string* text : {&info.method, &info.scene_key, &info.device}) header.text(*text);
  header.value(static_cast<std::int32_t>(info.frame));
  header.value(info.time);
  header.value(info.steps);
  header.value(static_cast<std::uint64_t>(info.particles));
  header.value(static_cast<std::uint32_t>(state.arrays().size()));
  for (std::size_t k = 0; k < checksums.size(); ++k) {
    const StateArray& array = state.arrays()[k];
    header.text(array.name);
    header.value(array.element_size);
    header.value(static_cast<std::uint64_t>(array.count()));
    header.value(checksums[k]);
  }
  header.value(checksum(header.bytes().data(), header.bytes().size()));
  return header.bytes();
}

struct Section {
  StateArray array;  // without its bytes
  std::uint64_t count = 0;
  std::uint32_t checksum = 0;
};

class CheckpointReader {
 public:
  CheckpointReader(std::string_view content, const std::string& name)
      : content_(content), name_(name) {}

  Checkpoint read() {
    read_origin();
    Checkpoint checkpoint;
    checkpoint.info.version = version_;
    read_info(checkpoint.info);
    std::vector<Section> sections = read_table();
    check_header();
    for (Section& section : sections) {
      read_section(section);
      checkpoint.state.add(std::move(section.array));
    }
    if (at_ != content_.size())
      fail("{} bytes follow the end: the file is damaged", content_.size() - at_);
    return checkpoint;
  }

 private:
  // Version and format of the file: the part common to all format versions.
  void read_origin() {
    if (!content_.starts_with(magic.substr(0, content_.size())) || content_.empty())
      throw Error(ErrorKind::io, "'{}' is not a checkpoint: {}", name_, start_again);
    at_ = magic.size();
    const auto format = value<std::uint32_t>();
    version_ = text();
    if (format != checkpoint_format)
      throw Error(ErrorKind::io,
                  "cannot read '{}': written by format version {} of Panta {}; this program reads "
                  "version {}: finish the run with that version or {}",
                  name_, format, version_, checkpoint_format, start_again);
    file_size_ = value<std::uint64_t>();
  }

  void read_info(CheckpointInfo& info) {
    info.method = text();
    info.scene_key = text();
    info.device = text();
    info.frame = value<std::int32_t>();
    info.time = value<double>();
    info.steps = value<std::uint64_t>();
    info.particles = static_cast<std::size_t>(value<std::uint64_t>());
  }

  std::vector<Section> read_table() {
    std::vector<Section> sections;
    for (auto left = value<std::uint32_t>(); left > 0; --left) {
      Section section;
      section.array.name = text();
      section.array.element_size = value<std::uint32_t>();
      section.count = value<std::uint64_t>();
      section.checksum = value<std::uint32_t>();
      sections.push_back(std::move(section));
    }
    return sections;
  }

  // After this check the numbers of the header are valid.
  void check_header() {
    const std::uint32_t found = checksum(content_.data(), at_);
    if (value<std::uint32_t>() != found) damaged("the header");
    if (content_.size() < file_size_) truncated();
  }

  void read_section(Section& section) {
    const std::uint64_t size = section.array.element_size;
    const std::uint64_t left = content_.size() - at_;
    if (size == 0 ? section.count != 0 : section.count > left / size) truncated();
    const auto bytes = static_cast<std::size_t>(size * section.count);
    if (checksum(content_.data() + at_, bytes) != section.checksum)
      damaged(fmt::format("the section '{}'", section.array.name));
    section.array.bytes.resize(bytes);
    if (bytes > 0) std::memcpy(section.array.bytes.data(), content_.data() + at_, bytes);
    at_ += bytes;
  }

  std::string_view take(std::size_t bytes) {
    if (bytes > content_.size() - std::min(at_, content_.size())) truncated();
    const std::string_view taken = content_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }
  template <class T>
  T value() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(value<std::uint32_t>())); }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw Error(ErrorKind::io, "cannot read '{}': {}; {}", name_,
                fmt::format(format, std::forward<Args>(args)...), start_again);
  }
  [[noreturn]] void truncated() const {
    if (file_size_ > content_.size())
      fail("truncated: {} of {} bytes are there", content_.size(), file_size_);
    fail("truncated or damaged: {} bytes are too few for its header", content_.size());
  }
  [[noreturn]] void damaged(const std::string& part) const {
    fail("the checksum of {} is wrong: the file is damaged", part);
  }

  std::string_view content_;
  std::string name_;
  std::size_t at_ = 0;
  std::string version_;
  std::uint64_t file_size_ = 0;
};

}  // namespace

void write_checkpoint(const std::string& path, const CheckpointInfo& info, const State& state) {
  std::vector<std::uint32_t> checksums;
  std::uint64_t data_size = 0;
  for (const StateArray& array : state.arrays()) {
    checksums.push_back(checksum(array.bytes.data(), array.bytes.size()));
    data_size += array.bytes.size();
  }
  const std::uint64_t header_size = header_bytes(info, state, checksums, 0).size();
  OutputFile file(path, OutputFile::Mode::replace_durably);
  file.write(header_bytes(info, state, checksums, header_size + data_size));
  for (const StateArray& array : state.arrays()) file.write(array.bytes.data(), array.bytes.size());
  file.close();
}

Checkpoint read_checkpoint(const std::string& path) {
  return parse_checkpoint(read_binary_file(path), path);
}

Checkpoint parse_checkpoint(std::string_view content, const std::string& name) {
  return CheckpointReader(content, name).read();
}

}  // namespace panta
