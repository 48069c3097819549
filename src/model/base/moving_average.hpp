#pragma once

namespace troupe {

/// An exponential moving average: each new value has the weight `weight`, all earlier ones together
/// 1 - `weight`. It is 0 before the first value, and equals the first value after it.
class moving_average {
public:
  explicit moving_average(double weight) : weight_(weight) {}

  void add(double x) {
    value_ = empty_ ? x : value_ + weight_ * (x - value_);
    empty_ = false;
  }

  double value() const { return value_; }

private:
  double weight_;
  double value_ = 0;
  bool empty_ = true;
};

} // namespace troupe
