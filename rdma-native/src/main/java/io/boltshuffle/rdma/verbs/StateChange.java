package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.verbs.Abi.Const;
import io.boltshuffle.rdma.verbs.Abi.QpAttr;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Fills a zeroed {@code ibv_qp_attr} for each state change and returns the mask for it. The masks are exact, because
 * providers refuse a missing or a superfluous bit.
 */
final class StateChange {

    /** Retransmission timer code: 4.096 us x 2^14 = 67 ms. */
    private static final byte TIMEOUT_CODE = 14;

    /** Retries of a lost packet; 7 is the maximum. */
    private static final byte RETRIES = 7;

    /** Retries while the peer has no receive posted. 7 means no limit; the deadlines of the callers end it. */
    private static final byte RECEIVER_NOT_READY_RETRIES = 7;

    /** The wait before such a retry: code 12 is 0.64 ms. */
    private static final byte RECEIVER_NOT_READY_CODE = 12;

    /** More reads under way gain nothing and cost responder resources. */
    private static final int MOST_READS = 16;

    /** Thunderbolt and one subnet need a single hop. */
    private static final byte HOPS = 1;

    /** The facts about the path to the peer that the change to RTR needs. */
    record Path(int port, int localGidIndex, QueuePairAddress peer, int mtu) {}

    private StateChange() {}

    static int toInit(ByteBuffer attributes, int port, Set<AccessFlag> access) {
        attributes.putInt(QpAttr.QP_STATE, Const.IBV_QPS_INIT);
        attributes.putShort(QpAttr.PKEY_INDEX, (short) 0);
        attributes.put(QpAttr.PORT_NUM, (byte) port);
        attributes.putInt(QpAttr.QP_ACCESS_FLAGS, Codes.access(access));
        return Const.IBV_QP_STATE | Const.IBV_QP_PKEY_INDEX | Const.IBV_QP_PORT | Const.IBV_QP_ACCESS_FLAGS;
    }

    static int toReadyToReceive(ByteBuffer attributes, Path path) {
        QueuePairAddress peer = path.peer();
        Gid gid = peer.gid();
        attributes.putInt(QpAttr.QP_STATE, Const.IBV_QPS_RTR);
        attributes.putInt(QpAttr.PATH_MTU, path.mtu());
        attributes.putInt(QpAttr.DEST_QP_NUM, peer.queuePairNumber());
        attributes.putInt(QpAttr.RQ_PSN, peer.packetSequenceNumber());
        attributes.putShort(QpAttr.AH_ATTR_DLID, (short) peer.lid());
        attributes.put(QpAttr.AH_ATTR_PORT_NUM, (byte) path.port());
        if (!gid.isZero()) {
            attributes.put(QpAttr.AH_ATTR_IS_GLOBAL, (byte) 1);
            attributes.put(QpAttr.AH_ATTR_GRH_DGID, gid.toBytes());
            attributes.put(QpAttr.AH_ATTR_GRH_SGID_INDEX, (byte) path.localGidIndex());
            attributes.put(QpAttr.AH_ATTR_GRH_HOP_LIMIT, HOPS);
        }
        return Const.IBV_QP_STATE
                | Const.IBV_QP_AV
                | Const.IBV_QP_PATH_MTU
                | Const.IBV_QP_DEST_QPN
                | Const.IBV_QP_RQ_PSN;
    }

    /** Adds the attributes that a reliable queue pair needs on the change to RTR. */
    static int addReliableReceiver(ByteBuffer attributes, int deviceReads) {
        attributes.put(QpAttr.MAX_DEST_RD_ATOMIC, reads(deviceReads));
        attributes.put(QpAttr.MIN_RNR_TIMER, RECEIVER_NOT_READY_CODE);
        return Const.IBV_QP_MAX_DEST_RD_ATOMIC | Const.IBV_QP_MIN_RNR_TIMER;
    }

    static int toReadyToSend(ByteBuffer attributes, int packetSequenceNumber) {
        attributes.putInt(QpAttr.QP_STATE, Const.IBV_QPS_RTS);
        attributes.putInt(QpAttr.SQ_PSN, packetSequenceNumber);
        return Const.IBV_QP_STATE | Const.IBV_QP_SQ_PSN;
    }

    /** Adds the attributes that a reliable queue pair needs on the change to RTS. */
    static int addReliableSender(ByteBuffer attributes, int deviceReads) {
        attributes.put(QpAttr.TIMEOUT, TIMEOUT_CODE);
        attributes.put(QpAttr.RETRY_CNT, RETRIES);
        attributes.put(QpAttr.RNR_RETRY, RECEIVER_NOT_READY_RETRIES);
        attributes.put(QpAttr.MAX_RD_ATOMIC, reads(deviceReads));
        return Const.IBV_QP_TIMEOUT | Const.IBV_QP_RETRY_CNT | Const.IBV_QP_RNR_RETRY | Const.IBV_QP_MAX_QP_RD_ATOMIC;
    }

    static int toError(ByteBuffer attributes) {
        attributes.putInt(QpAttr.QP_STATE, Const.IBV_QPS_ERR);
        return Const.IBV_QP_STATE;
    }

    private static byte reads(int deviceReads) {
        return (byte) Math.min(MOST_READS, deviceReads);
    }
}
