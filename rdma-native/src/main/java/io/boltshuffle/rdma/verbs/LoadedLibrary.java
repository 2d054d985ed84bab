package io.boltshuffle.rdma.verbs;

import com.sun.jna.Native;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;

/**
 * A library whose functions are bound.
 *
 * @param name for people
 * @param platform the platform whose errno numbers it uses
 */
record LoadedLibrary(String name, VerbsLibrary functions, Platform platform) {

    LoadedLibrary speaking(Platform other) {
        return new LoadedLibrary(name, functions, other);
    }

    /** Returns the exception for a call that has just returned NULL or -1 on this thread. */
    VerbsException lastFailure(VerbsCall call, String where) {
        return failure(call, Native.getLastError(), where);
    }

    /** Returns the exception for a call that returned an errno, of either sign. */
    VerbsException failure(VerbsCall call, int returned, String where) {
        return ErrorGuide.failure(platform, call, Errno.fromReturn(returned), where);
    }
}
