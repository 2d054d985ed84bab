package io.boltshuffle.rdma.memory;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an agent that its executors map: a shared object, mapped read-write at an aligned address.
 *
 * <p><b>Invariant:</b> the memory stays mapped while a device or a pool may use its addresses. Registrations and pools
 * therefore hold the slab, and {@link #close()} throws while one does.
 *
 * <p><b>Threads:</b> any.
 *
 * <p><b>Ownership:</b> one owner per {@link SlabLocation} at a time; a new slab replaces one that a crashed owner left
 * there. {@link #close()} succeeds while there are views; they defer the unmapping until the last of them is
 * unreachable.
 */
public final class Slab implements AutoCloseable {

    /**
     * The granularity of sizes: the page of Apple silicon, which is a multiple of the pages of all other supported
     * systems.
     */
    public static final long PAGE_BYTES = 16 << 10;

    /** Twice the largest registration known from hardware (docs/verbs-contract.md). */
    public static final long MAX_BYTES = 64L << 30;

    private static final SecureRandom IDENTITIES = new SecureRandom();

    /** Keeps open slabs from being collected and so unmapped, because a device may write into them. */
    private static final Set<Slab> OPEN = ConcurrentHashMap.newKeySet();

    private final SlabDescriptor descriptor;
    private final SharedMapping mapping;
    private final List<String> holders = new ArrayList<>();
    private long leakedRegions;
    private final @Nullable Object identity;
    private boolean isNamed = true;

    private Slab(SlabDescriptor descriptor, SharedMapping mapping, @Nullable Object identity) {
        this.identity = identity;
        this.descriptor = descriptor;
        this.mapping = mapping;
    }

    /**
     * Creates a slab, with all of its memory allocated if the platform can promise that.
     *
     * @param bytes a positive multiple of {@link #PAGE_BYTES}, up to {@link #MAX_BYTES}
     * @throws SlabException if there is no room or no right to create it; nothing is left behind then
     */
    public static Slab create(SlabLocation location, long bytes) throws SlabException {
        checkBytes(bytes);
        long mappedBytes = bytes + PAGE_BYTES;
        SlabDescriptor descriptor = new SlabDescriptor(location, bytes, IDENTITIES.nextLong(), IDENTITIES.nextLong());
        int file = SharedObject.create(location, mappedBytes);
        try {
            Object identity = SharedObject.identityOf(location);
            return over(SharedMapping.map(file, mappedBytes, NativeMapping.READ_WRITE), descriptor, identity);
        } catch (SlabException e) {
            SharedObject.remove(location);
            throw e;
        } finally {
            NativeMapping.closeDescriptor(file);
        }
    }

    /**
     * Returns a slab over memory that is already mapped, its identity page included.
     *
     * @param identity of its file, or null if the file may be replaced unseen
     */
    static Slab over(SharedMapping mapping, SlabDescriptor descriptor, @Nullable Object identity) {
        SlabIdentity.write(mapping, descriptor);
        Slab slab = new Slab(descriptor, mapping, identity);
        OPEN.add(slab);
        return slab;
    }

    /** Returns what another process needs to map this slab with {@link SlabReader#map}. */
    public SlabDescriptor descriptor() {
        return descriptor;
    }

    public long bytes() {
        return descriptor.bytes();
    }

    /** Returns the start address in this process, aligned to 2 MiB or more. */
    public long address() {
        return mapping.address();
    }

    /**
     * Returns a writable buffer over part of the slab.
     *
     * @param bytes at most 1 GiB
     * @throws IndexOutOfBoundsException if the range is not within the slab
     * @throws IllegalStateException after {@link #close()}
     */
    public ByteBuffer view(long offset, int bytes) {
        checkRange(offset, bytes, descriptor.bytes());
        return mapping.view(offset, bytes);
    }

    /**
     * Returns the number of memory regions whose registration hung or whose deregistration failed. While there are any,
     * the memory stays mapped until the process ends.
     */
    public synchronized long leakedRegions() {
        return leakedRegions;
    }

    /** Keeps the slab open for {@code who} until {@link #letGo}. */
    synchronized void hold(String who) {
        if (!mapping.isOpen()) {
            throw new IllegalStateException("slab " + descriptor.location() + " is closed");
        }
        holders.add(who);
    }

    /** Keeps the slab open like {@link #hold}, for a holder of which there may be only one. */
    synchronized void holdAlone(String who) {
        if (holders.contains(who)) {
            throw new IllegalStateException("slab " + descriptor.location() + " already has a " + who);
        }
        hold(who);
    }

    synchronized void letGo(String who) {
        if (!holders.remove(who)) {
            throw new IllegalStateException(who + " does not hold slab " + descriptor.location());
        }
    }

    synchronized void countLeakedRegion() {
        leakedRegions++;
    }

    /** A region that was counted has gone after all. */
    synchronized void leakedRegionIsGone() {
        leakedRegions--;
    }

    /**
     * Returns what other processes would find instead of this slab, such as no file, another one or a shorter one;
     * empty if all is well. A process that has the slab mapped keeps it, but a file that was truncated ends processes
     * that read beyond its end. This asks the file system.
     */
    public Optional<String> damage() {
        return SharedObject.damage(descriptor.location(), descriptor.bytes() + PAGE_BYTES, identity);
    }

    /** Removes the name of a slab that a killed process left. */
    public static void removeLeft(SlabLocation location) throws SlabException {
        SharedObject.remove(location);
    }

    /** Removes the name, so that no other process can map the slab. Processes that have it mapped keep it. */
    public synchronized void unlink() throws SlabException {
        // Once only: by the second time the name may belong to a successor.
        if (isNamed) {
            SharedObject.removeOwn(descriptor.location(), identity);
            isNamed = false;
        }
    }

    /**
     * Removes the name and gives up the memory. If a device may still write into it, because a region could not be
     * deregistered, the memory stays mapped on purpose until the process ends. Closing twice is harmless.
     *
     * @throws IllegalStateException while a registration or a pool holds the slab; the name is removed all the same
     */
    @Override
    public synchronized void close() throws SlabException {
        if (!mapping.isOpen()) {
            return;
        }
        unlink();
        if (!holders.isEmpty()) {
            throw new IllegalStateException("slab " + descriptor.location() + " is still held by " + holders
                    + ": close those first; its memory stays mapped");
        }
        if (leakedRegions > 0) {
            return;
        }
        mapping.close();
        OPEN.remove(this);
    }

    static void checkBytes(long bytes) {
        if (bytes <= 0 || bytes > MAX_BYTES || bytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException("a slab has a multiple of " + PAGE_BYTES + " bytes, from " + PAGE_BYTES
                    + " to " + MAX_BYTES + ", not " + bytes);
        }
    }

    static void checkRange(long offset, int bytes, long limit) {
        if (offset < 0 || bytes < 0 || offset > limit - bytes) {
            throw new IndexOutOfBoundsException("range " + offset + " + " + bytes + " of a slab of " + limit);
        }
    }

    @Override
    public String toString() {
        return "Slab[" + descriptor.location() + ", " + descriptor.bytes() + " bytes]";
    }
}
