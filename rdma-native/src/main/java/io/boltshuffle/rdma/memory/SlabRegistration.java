package io.boltshuffle.rdma.memory;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The registration of a whole slab with one device, in equal pieces.
 *
 * <p><b>Invariant:</b> no piece crosses an address that is a multiple of the piece size, hence none crosses a 4
 * GiB-aligned one, where Apple's provider silently addresses other memory. While any region exists, or could not be
 * deregistered, the slab stays mapped.
 *
 * <p><b>Threads:</b> {@link #register} and {@link #close} on the device's control thread; look-ups from any thread
 * until then.
 *
 * <p><b>Ownership:</b> the code that registers also closes, before the protection domain and before the slab.
 */
public final class SlabRegistration implements AutoCloseable {

    private final Slab slab;
    private final String holder;
    private final Set<AccessFlag> access;
    private final int pieceShift;
    private final MemoryRegion[] regions;
    private boolean closed;

    private SlabRegistration(
            Slab slab, String holder, Set<AccessFlag> access, long pieceBytes, MemoryRegion[] regions) {
        this.slab = slab;
        this.holder = holder;
        this.access = access;
        this.pieceShift = Long.numberOfTrailingZeros(pieceBytes);
        this.regions = regions;
    }

    /**
     * Registers all of the slab. It tries piece sizes from the largest down, and for each the choices of access rights
     * in order, until the device accepts one for every piece.
     *
     * @param device name for messages
     * @throws DeviceStuckException if the device does not answer: the slab stays mapped for what it may have
     * registered, which is counted in {@link Slab#leakedRegions()}
     * @throws VerbsException if the device accepts none; what was registered meanwhile is undone
     */
    public static SlabRegistration register(
            Slab slab, ProtectionDomain domain, String device, RegistrationRequest request) throws VerbsException {
        String holder = "registration with " + device;
        slab.hold(holder);
        VerbsException last = null;
        for (long piece = firstPieceBytes(slab, request); piece >= request.smallestPieceBytes(); piece >>= 1) {
            if (piecesOf(slab, piece) > request.maxRegions()) {
                break;
            }
            for (Set<AccessFlag> access : request.accessChoices()) {
                try {
                    return new SlabRegistration(
                            slab, holder, access, piece, registerPieces(slab, domain, piece, access));
                } catch (DeviceStuckException e) {
                    slab.letGo(holder);
                    throw e;
                } catch (VerbsException e) {
                    last = e;
                }
            }
        }
        slab.letGo(holder);
        throw refused(slab, device, request, last);
    }

    /** Returns the piece size to try first. Pieces larger than the whole slab would only repeat an attempt. */
    private static long firstPieceBytes(Slab slab, RegistrationRequest request) {
        long wholeSlab = Long.highestOneBit(2 * slab.bytes() - 1);
        return Math.max(request.smallestPieceBytes(), Math.min(request.largestPieceBytes(), wholeSlab));
    }

    private static int piecesOf(Slab slab, long pieceBytes) {
        return Math.toIntExact((slab.bytes() + pieceBytes - 1) / pieceBytes);
    }

    private static MemoryRegion[] registerPieces(
            Slab slab, ProtectionDomain domain, long pieceBytes, Set<AccessFlag> access) throws VerbsException {
        List<MemoryRegion> done = new ArrayList<>();
        try {
            for (long offset = 0; offset < slab.bytes(); offset += pieceBytes) {
                long length = Math.min(pieceBytes, slab.bytes() - offset);
                done.add(domain.register(slab.address() + offset, length, access));
            }
            return done.toArray(MemoryRegion[]::new);
        } catch (VerbsException e) {
            if (e instanceof DeviceStuckException stuck && stuck.isUnderWay()) {
                // A registration that hangs may still succeed, and the device then has this memory for ever.
                slab.countLeakedRegion();
                stuck.ifItIsUndoneLate(slab::leakedRegionIsGone);
            }
            VerbsException undo = closeInReverse(slab, done);
            if (undo != null) {
                e.addSuppressed(undo);
            }
            throw e;
        }
    }

    /** Closes all regions, counts those that could not be deregistered, and returns the first failure. */
    private static @Nullable VerbsException closeInReverse(Slab slab, List<MemoryRegion> regions) {
        VerbsException first = null;
        for (int i = regions.size() - 1; i >= 0; i--) {
            try {
                regions.get(i).close();
            } catch (VerbsException e) {
                slab.countLeakedRegion();
                if (e instanceof DeviceStuckException stuck) {
                    stuck.ifItSucceedsLate(slab::leakedRegionIsGone);
                }
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    private static VerbsException refused(
            Slab slab, String device, RegistrationRequest request, @Nullable VerbsException last) {
        long largestSlab = request.maxRegions() * request.smallestPieceBytes();
        String message = device + " does not register " + slab + " in at most " + request.maxRegions()
                + " pieces of " + request.smallestPieceBytes() + " to " + request.largestPieceBytes() + " bytes"
                + (last == null ? "" : "; last answer: " + last.getMessage())
                + "; a slab of " + largestSlab + " bytes or less allows every piece size";
        VerbsException refusal = new VerbsException(message, "ibv_reg_mr", last == null ? 0 : last.errno());
        if (last != null) {
            refusal.initCause(last);
        }
        return refusal;
    }

    /** Returns the piece size that the device accepted. A {@link LeasePool} over the slab must be given this size. */
    public long pieceBytes() {
        return 1L << pieceShift;
    }

    public int pieces() {
        return regions.length;
    }

    /** Returns the access rights that the device accepted. */
    public Set<AccessFlag> access() {
        return access;
    }

    /** Returns the {@code lkey} for the byte at this offset of the slab. */
    public int localKey(long offset) {
        return regions[(int) (offset >> pieceShift)].localKey();
    }

    /** Returns the {@code rkey} for the byte at this offset of the slab. */
    public int remoteKey(long offset) {
        return regions[(int) (offset >> pieceShift)].remoteKey();
    }

    /** Returns how many bytes from this offset on have the same keys. */
    public long bytesToPieceEnd(long offset) {
        long nextPiece = ((offset >> pieceShift) + 1) << pieceShift;
        return Math.min(nextPiece, slab.bytes()) - offset;
    }

    /**
     * Deregisters in reverse order, every piece even if one fails. Closing twice is harmless.
     *
     * @throws VerbsException if a region could not be deregistered: it is counted in {@link Slab#leakedRegions()}, and
     * the slab stays mapped on purpose, because the device may still write into it
     */
    @Override
    public void close() throws VerbsException {
        if (closed) {
            return;
        }
        closed = true;
        VerbsException failure = closeInReverse(slab, List.of(regions));
        slab.letGo(holder);
        if (failure != null) {
            throw failure;
        }
    }
}
