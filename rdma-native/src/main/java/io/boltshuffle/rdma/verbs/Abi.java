package io.boltshuffle.rdma.verbs;

/**
 * Sizes, offsets and constants of the verbs ABI, 64-bit little-endian. No other class repeats numbers of the C headers.
 *
 * <p>A nested class is a C struct ({@code QpAttr} is {@code ibv_qp_attr}). Its {@code SIZE} is the size of the struct,
 * and any other constant is the offset of a member ({@code CAP_MAX_SEND_WR} is {@code cap.max_send_wr}).
 * {@link AbiTable} turns them into C names, and the ABI audit compares each with the header of the machine, see
 * {@code docs/verbs-contract.md#abi}.
 */
final class Abi {

    private Abi() {}

    /** {@code struct ibv_context}. The calls that are inline functions in C go through this table. */
    static final class Context {
        static final int OPS_POLL_CQ = 96;
        static final int OPS_POST_SEND = 208;
        static final int OPS_POST_RECV = 216;

        private Context() {}
    }

    static final class Cq {
        static final int CONTEXT = 0;

        private Cq() {}
    }

    static final class Qp {
        static final int CONTEXT = 0;
        static final int QP_NUM = 52;

        private Qp() {}
    }

    static final class Mr {
        static final int LKEY = 36;
        static final int RKEY = 40;

        private Mr() {}
    }

    static final class QpInitAttr {
        static final int SIZE = 64;
        static final int SEND_CQ = 8;
        static final int RECV_CQ = 16;
        static final int CAP_MAX_SEND_WR = 32;
        static final int CAP_MAX_RECV_WR = 36;
        static final int CAP_MAX_SEND_SGE = 40;
        static final int CAP_MAX_RECV_SGE = 44;
        static final int QP_TYPE = 52;

        private QpInitAttr() {}
    }

    static final class QpAttr {
        static final int SIZE = 144;
        static final int QP_STATE = 0;
        static final int PATH_MTU = 8;
        static final int RQ_PSN = 20;
        static final int SQ_PSN = 24;
        static final int DEST_QP_NUM = 28;
        static final int QP_ACCESS_FLAGS = 32;
        static final int CAP_MAX_SEND_WR = 36;
        static final int CAP_MAX_RECV_WR = 40;
        static final int AH_ATTR_GRH_DGID = 56;
        static final int AH_ATTR_GRH_SGID_INDEX = 76;
        static final int AH_ATTR_GRH_HOP_LIMIT = 77;
        static final int AH_ATTR_DLID = 80;
        static final int AH_ATTR_IS_GLOBAL = 85;
        static final int AH_ATTR_PORT_NUM = 86;
        static final int PKEY_INDEX = 120;
        static final int MAX_RD_ATOMIC = 126;
        static final int MAX_DEST_RD_ATOMIC = 127;
        static final int MIN_RNR_TIMER = 128;
        static final int PORT_NUM = 129;
        static final int TIMEOUT = 130;
        static final int RETRY_CNT = 131;
        static final int RNR_RETRY = 132;

        private QpAttr() {}
    }

    static final class Sge {
        static final int SIZE = 16;
        static final int ADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;

        private Sge() {}
    }

    static final class SendWr {
        static final int SIZE = 128;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;
        static final int OPCODE = 28;
        static final int SEND_FLAGS = 32;
        static final int WR_RDMA_REMOTE_ADDR = 40;
        static final int WR_RDMA_RKEY = 48;

        private SendWr() {}
    }

    static final class RecvWr {
        static final int SIZE = 32;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;

        private RecvWr() {}
    }

    static final class Wc {
        static final int SIZE = 48;
        static final int WR_ID = 0;
        static final int STATUS = 8;
        static final int OPCODE = 12;
        static final int VENDOR_ERR = 16;
        static final int BYTE_LEN = 20;
        static final int QP_NUM = 28;

        private Wc() {}
    }

    static final class PortAttr {
        /** The size in older headers and in Apple's; newer rdma-core has 56. This code reads offsets below 52 only. */
        static final int SIZE = 52;

        static final int STATE = 0;
        static final int ACTIVE_MTU = 8;
        static final int GID_TBL_LEN = 12;
        static final int MAX_MSG_SZ = 20;
        static final int LID = 34;
        static final int ACTIVE_WIDTH = 43;
        static final int ACTIVE_SPEED = 44;
        static final int LINK_LAYER = 46;

        private PortAttr() {}
    }

    static final class DeviceAttr {
        static final int SIZE = 232;
        static final int MAX_MR_SIZE = 80;
        static final int MAX_QP = 108;
        static final int MAX_QP_WR = 112;
        static final int MAX_SGE = 120;
        static final int MAX_CQ = 128;
        static final int MAX_CQE = 132;
        static final int MAX_MR = 136;
        static final int MAX_PD = 140;
        static final int MAX_QP_RD_ATOM = 144;
        static final int PHYS_PORT_CNT = 227;

        private DeviceAttr() {}
    }

    /** Enumerators and flags by their C names. */
    static final class Const {
        static final int IBV_QPT_RC = 2;
        static final int IBV_QPT_UC = 3;

        static final int IBV_QPS_RESET = 0;
        static final int IBV_QPS_INIT = 1;
        static final int IBV_QPS_RTR = 2;
        static final int IBV_QPS_RTS = 3;
        static final int IBV_QPS_ERR = 6;

        static final int IBV_QP_STATE = 1;
        static final int IBV_QP_ACCESS_FLAGS = 1 << 3;
        static final int IBV_QP_PKEY_INDEX = 1 << 4;
        static final int IBV_QP_PORT = 1 << 5;
        static final int IBV_QP_AV = 1 << 7;
        static final int IBV_QP_PATH_MTU = 1 << 8;
        static final int IBV_QP_TIMEOUT = 1 << 9;
        static final int IBV_QP_RETRY_CNT = 1 << 10;
        static final int IBV_QP_RNR_RETRY = 1 << 11;
        static final int IBV_QP_RQ_PSN = 1 << 12;
        static final int IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13;
        static final int IBV_QP_MIN_RNR_TIMER = 1 << 15;
        static final int IBV_QP_SQ_PSN = 1 << 16;
        static final int IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17;
        static final int IBV_QP_CAP = 1 << 19;
        static final int IBV_QP_DEST_QPN = 1 << 20;

        static final int IBV_WR_SEND = 2;
        static final int IBV_WR_RDMA_READ = 4;
        static final int IBV_SEND_SIGNALED = 2;

        static final int IBV_ACCESS_LOCAL_WRITE = 1;
        static final int IBV_ACCESS_REMOTE_WRITE = 2;
        static final int IBV_ACCESS_REMOTE_READ = 4;

        static final int IBV_PORT_DOWN = 1;
        static final int IBV_PORT_INIT = 2;
        static final int IBV_PORT_ARMED = 3;
        static final int IBV_PORT_ACTIVE = 4;

        static final int IBV_LINK_LAYER_INFINIBAND = 1;
        static final int IBV_LINK_LAYER_ETHERNET = 2;

        static final int IBV_WC_RECV = 128;

        private Const() {}
    }

    /** The {@code link_layer} of Apple's Thunderbolt ports. No header has it; it was read on machines. */
    static final int LINK_LAYER_THUNDERBOLT = 100;

    /** Every {@code ibv_port_attr} gets this much room, which exceeds every known size. */
    static final int PORT_ATTR_ROOM = 64;
}
