package io.boltshuffle.rdma.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Lets a few actors loose on one state at the same moment, again and again with a new state, and judges each outcome.
 *
 * @param <S> the state
 */
final class Race<S> {

    private final IntFunction<S> newState;
    private final List<Consumer<S>> actors = new ArrayList<>();

    /** @param newState makes the state of a round from its number */
    Race(IntFunction<S> newState) {
        this.newState = newState;
    }

    Race<S> actor(Consumer<S> actor) {
        actors.add(actor);
        return this;
    }

    void run(int rounds, Consumer<S> judge) throws Exception {
        CyclicBarrier start = new CyclicBarrier(actors.size());
        ExecutorService threads = Executors.newFixedThreadPool(actors.size());
        try {
            for (int round = 0; round < rounds; round++) {
                S state = newState.apply(round);
                List<Future<?>> running = new ArrayList<>();
                for (Consumer<S> actor : actors) {
                    running.add(threads.submit(() -> {
                        start.await(30, TimeUnit.SECONDS);
                        actor.accept(state);
                        return null;
                    }));
                }
                for (Future<?> one : running) {
                    one.get(60, TimeUnit.SECONDS);
                }
                judge.accept(state);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
