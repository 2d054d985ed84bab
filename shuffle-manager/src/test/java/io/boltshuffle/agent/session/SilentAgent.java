package io.boltshuffle.agent.session;

/** Stands for an agent of which sessions want nothing. */
final class SilentAgent implements ExecutorSessions.Listener {
    @Override
    public void onChanged() {}

    @Override
    public String statusJson() {
        return "{}";
    }

    @Override
    public void onPause(long seconds) {}
}
