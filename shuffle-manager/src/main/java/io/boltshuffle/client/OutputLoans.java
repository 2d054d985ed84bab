package io.boltshuffle.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The requests for memory of outputs that the agent has not answered yet.
 *
 * <p><b>Invariant:</b> memory that comes goes to the task that asked, or back to the agent if that task waits no more.
 *
 * <p><b>Threads:</b> confined to the client's loop; a task may complete its own answer at any time.
 */
final class OutputLoans {
    private final Map<Long, CompletableFuture<OutputLoan>> open = new HashMap<>();

    void asked(long requestId, CompletableFuture<OutputLoan> answer) {
        open.put(requestId, answer);
    }

    void granted(long requestId, OutputMemory memory) {
        CompletableFuture<OutputLoan> answer = open.remove(requestId);
        if (answer == null || !answer.complete(new OutputLoan.Granted(memory))) {
            memory.close(); // it came too late
        }
    }

    void refused(long requestId) {
        CompletableFuture<OutputLoan> answer = open.remove(requestId);
        if (answer != null) {
            answer.complete(new OutputLoan.Refused(OutputLoan.Why.NO_MEMORY));
        }
    }

    /** The session is over, and no answer will come. */
    void refuseAll(OutputLoan.Why why) {
        open.values().forEach(answer -> answer.complete(new OutputLoan.Refused(why)));
        open.clear();
    }
}
