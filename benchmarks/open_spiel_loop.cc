// Random play of a game of OpenSpiel by its own C++: one state after the other, a uniformly random
// legal action each; for `benchmarks/env.py`, which builds this against the headers that come with
// OpenSpiel and loads it beside `pyspiel`, whose code it calls.

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

}  // namespace

// Actions a second. With `views` the mask of legal actions and the tensor of the observation of
// the player to move are made for each state as well.
extern "C" double actions_a_second(const char* name, double seconds, int views, unsigned seed) {
  auto game = open_spiel::LoadGame(name);
  std::mt19937 random(seed);
  std::vector<float> tensor(game->ObservationTensorSize());
  long actions = 0, sum = 0;
  const auto start = Clock::now();
  while (Seconds(start) < seconds) {
    auto state = game->NewInitialState();
    while (!state->IsTerminal()) {
      const auto legal = state->LegalActions();
      if (views) {
        sum += state->LegalActionsMask().size();
        state->ObservationTensor(state->CurrentPlayer(), absl::MakeSpan(tensor));
      }
      state->ApplyAction(legal[std::uniform_int_distribution<size_t>(0, legal.size() - 1)(random)]);
      ++actions;
    }
    sum += static_cast<long>(state->Returns()[0]);
  }
  const double took = Seconds(start);
  return sum == -1 ? 0 : actions / took;
}
