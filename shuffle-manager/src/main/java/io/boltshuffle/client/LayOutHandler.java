package io.boltshuffle.client;

/** Lays blocks of this process's memory out when the agent asks for them, for other hosts. */
@FunctionalInterface
public interface LayOutHandler {

    /** Takes an order and returns at once: it is called on the client's thread. Another thread answers the order. */
    void onOrder(LayOut order);
}
