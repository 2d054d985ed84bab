package io.boltshuffle.rdma.verbs;

import com.sun.jna.Native;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import org.jspecify.annotations.Nullable;

/**
 * A library whose functions are bound.
 *
 * @param name for people
 * @param events what completion channels need; null if the library or its platform has none
 * @param platform the platform whose errno numbers it uses
 */
record LoadedLibrary(
        String name, VerbsLibrary functions, @Nullable VerbsEvents events, Platform platform) {

    /** Devices that speak as Apple's do have no completion channels, either. */
    LoadedLibrary speaking(Platform other) {
        return new LoadedLibrary(name, functions, other == Platform.LINUX ? events : null, other);
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
