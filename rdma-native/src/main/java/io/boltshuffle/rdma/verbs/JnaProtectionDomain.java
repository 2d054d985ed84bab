package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.QpInitAttr;
import java.nio.ByteBuffer;
import java.util.Set;

/** A protection domain of a {@link JnaDevice}. */
final class JnaProtectionDomain implements ProtectionDomain {

    private final JnaDevice device;
    private final Handle domain;

    JnaProtectionDomain(JnaDevice device, Pointer domain) {
        this.device = device;
        this.domain = new Handle("protection domain of " + device.name(), domain);
    }

    @Override
    public MemoryRegion register(long address, long length, Set<AccessFlag> access) throws VerbsException {
        Pointer region = device.create(
                VerbsCall.REG_MR,
                memory ->
                        device.functions().ibv_reg_mr(domain.get(), new Pointer(address), length, Codes.access(access)),
                VerbsCall.DEREG_MR,
                device.functions()::ibv_dereg_mr);
        return new JnaMemoryRegion(device, region);
    }

    @Override
    public QueuePair createQueuePair(QueuePairRequest request) throws VerbsException {
        JnaCompletionQueue sends = own(request.sendCompletions());
        JnaCompletionQueue receives = own(request.receiveCompletions());
        Pointer queuePair = device.create(
                VerbsCall.CREATE_QP,
                memory -> {
                    NativeBlock attributes = memory.allocate(QpInitAttr.SIZE);
                    ByteBuffer bytes = attributes.bytes();
                    bytes.putLong(QpInitAttr.SEND_CQ, sends.address());
                    bytes.putLong(QpInitAttr.RECV_CQ, receives.address());
                    bytes.putInt(QpInitAttr.CAP_MAX_SEND_WR, request.sendDepth());
                    bytes.putInt(QpInitAttr.CAP_MAX_RECV_WR, request.receiveDepth());
                    bytes.putInt(QpInitAttr.CAP_MAX_SEND_SGE, 1);
                    bytes.putInt(QpInitAttr.CAP_MAX_RECV_SGE, 1);
                    bytes.putInt(QpInitAttr.QP_TYPE, Codes.queuePairType(request.type()));
                    return device.functions().ibv_create_qp(domain.get(), attributes.pointer());
                },
                VerbsCall.DESTROY_QP,
                device.functions()::ibv_destroy_qp);
        return new JnaQueuePair(device, queuePair, request.type());
    }

    private JnaCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof JnaCompletionQueue ours && ours.device() == device) {
            return ours;
        }
        throw new IllegalArgumentException("the completion queue is not one of device " + device.name());
    }

    @Override
    public void close() throws VerbsException {
        device.destroy(VerbsCall.DEALLOC_PD, domain, device.functions()::ibv_dealloc_pd);
    }
}
