package io.boltshuffle.rdma.verbs;

/**
 * Sizes, offsets and constants of the verbs ABI, 64-bit little-endian. No other class repeats numbers of the C headers.
 *
 * <p>A nested class is a C struct ({@code QpAttr} is {@code ibv_qp_attr}), {@code SIZE} its size, any other constant of
 * it the offset of a member ({@code CAP_MAX_SEND_WR} is {@code cap.max_send_wr}). The constants are public for
 * tests alone, which compare each with the verbs header of a machine by its C name, see {@code
 * docs/verbs-contract.md#abi}.
 */
public final class Abi {

    private Abi() {}

    /** {@code struct ibv_context}: the calls that are inline functions in C go through this table. */
    public static final class Context {
        public static final int OPS_POLL_CQ = 96;
        public static final int OPS_POST_SEND = 208;
        public static final int OPS_POST_RECV = 216;

        private Context() {}
    }

    public static final class Cq {
        public static final int CONTEXT = 0;

        private Cq() {}
    }

    public static final class Qp {
        public static final int CONTEXT = 0;
        public static final int QP_NUM = 52;

        private Qp() {}
    }

    public static final class Mr {
        public static final int LKEY = 36;
        public static final int RKEY = 40;

        private Mr() {}
    }

    public static final class QpInitAttr {
        public static final int SIZE = 64;
        public static final int SEND_CQ = 8;
        public static final int RECV_CQ = 16;
        public static final int CAP_MAX_SEND_WR = 32;
        public static final int CAP_MAX_RECV_WR = 36;
        public static final int CAP_MAX_SEND_SGE = 40;
        public static final int CAP_MAX_RECV_SGE = 44;
        public static final int QP_TYPE = 52;

        private QpInitAttr() {}
    }

    public static final class QpAttr {
        public static final int SIZE = 144;
        public static final int QP_STATE = 0;
        public static final int PATH_MTU = 8;
        public static final int RQ_PSN = 20;
        public static final int SQ_PSN = 24;
        public static final int DEST_QP_NUM = 28;
        public static final int QP_ACCESS_FLAGS = 32;
        public static final int CAP_MAX_SEND_WR = 36;
        public static final int CAP_MAX_RECV_WR = 40;
        public static final int AH_ATTR_GRH_DGID = 56;
        public static final int AH_ATTR_GRH_SGID_INDEX = 76;
        public static final int AH_ATTR_GRH_HOP_LIMIT = 77;
        public static final int AH_ATTR_DLID = 80;
        public static final int AH_ATTR_IS_GLOBAL = 85;
        public static final int AH_ATTR_PORT_NUM = 86;
        public static final int PKEY_INDEX = 120;
        public static final int MAX_RD_ATOMIC = 126;
        public static final int MAX_DEST_RD_ATOMIC = 127;
        public static final int MIN_RNR_TIMER = 128;
        public static final int PORT_NUM = 129;
        public static final int TIMEOUT = 130;
        public static final int RETRY_CNT = 131;
        public static final int RNR_RETRY = 132;

        private QpAttr() {}
    }

    public static final class Sge {
        public static final int SIZE = 16;
        public static final int ADDR = 0;
        public static final int LENGTH = 8;
        public static final int LKEY = 12;

        private Sge() {}
    }

    public static final class SendWr {
        public static final int SIZE = 128;
        public static final int WR_ID = 0;
        public static final int NEXT = 8;
        public static final int SG_LIST = 16;
        public static final int NUM_SGE = 24;
        public static final int OPCODE = 28;
        public static final int SEND_FLAGS = 32;
        public static final int WR_RDMA_REMOTE_ADDR = 40;
        public static final int WR_RDMA_RKEY = 48;

        private SendWr() {}
    }

    public static final class RecvWr {
        public static final int SIZE = 32;
        public static final int WR_ID = 0;
        public static final int NEXT = 8;
        public static final int SG_LIST = 16;
        public static final int NUM_SGE = 24;

        private RecvWr() {}
    }

    public static final class Wc {
        public static final int SIZE = 48;
        public static final int WR_ID = 0;
        public static final int STATUS = 8;
        public static final int OPCODE = 12;
        public static final int VENDOR_ERR = 16;
        public static final int BYTE_LEN = 20;

        private Wc() {}
    }

    public static final class PortAttr {
        /** The older and the Apple size; newer rdma-core has 56. Only offsets below 52 are read. */
        public static final int SIZE = 52;

        public static final int STATE = 0;
        public static final int ACTIVE_MTU = 8;
        public static final int GID_TBL_LEN = 12;
        public static final int MAX_MSG_SZ = 20;
        public static final int LID = 34;
        public static final int ACTIVE_WIDTH = 43;
        public static final int ACTIVE_SPEED = 44;
        public static final int LINK_LAYER = 46;

        private PortAttr() {}
    }

    public static final class DeviceAttr {
        public static final int SIZE = 232;
        public static final int MAX_MR_SIZE = 80;
        public static final int MAX_QP = 108;
        public static final int MAX_QP_WR = 112;
        public static final int MAX_SGE = 120;
        public static final int MAX_CQ = 128;
        public static final int MAX_CQE = 132;
        public static final int MAX_MR = 136;
        public static final int MAX_PD = 140;
        public static final int MAX_QP_RD_ATOM = 144;
        public static final int PHYS_PORT_CNT = 227;

        private DeviceAttr() {}
    }

    /** Enumerators and flags, by their C names. */
    public static final class Const {
        public static final int IBV_QPT_RC = 2;
        public static final int IBV_QPT_UC = 3;

        public static final int IBV_QPS_INIT = 1;
        public static final int IBV_QPS_RTR = 2;
        public static final int IBV_QPS_RTS = 3;
        public static final int IBV_QPS_ERR = 6;

        public static final int IBV_QP_STATE = 1;
        public static final int IBV_QP_ACCESS_FLAGS = 1 << 3;
        public static final int IBV_QP_PKEY_INDEX = 1 << 4;
        public static final int IBV_QP_PORT = 1 << 5;
        public static final int IBV_QP_AV = 1 << 7;
        public static final int IBV_QP_PATH_MTU = 1 << 8;
        public static final int IBV_QP_TIMEOUT = 1 << 9;
        public static final int IBV_QP_RETRY_CNT = 1 << 10;
        public static final int IBV_QP_RNR_RETRY = 1 << 11;
        public static final int IBV_QP_RQ_PSN = 1 << 12;
        public static final int IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13;
        public static final int IBV_QP_MIN_RNR_TIMER = 1 << 15;
        public static final int IBV_QP_SQ_PSN = 1 << 16;
        public static final int IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17;
        public static final int IBV_QP_CAP = 1 << 19;
        public static final int IBV_QP_DEST_QPN = 1 << 20;

        public static final int IBV_WR_SEND = 2;
        public static final int IBV_WR_RDMA_READ = 4;
        public static final int IBV_SEND_SIGNALED = 2;

        public static final int IBV_ACCESS_LOCAL_WRITE = 1;
        public static final int IBV_ACCESS_REMOTE_WRITE = 2;
        public static final int IBV_ACCESS_REMOTE_READ = 4;

        public static final int IBV_PORT_DOWN = 1;
        public static final int IBV_PORT_INIT = 2;
        public static final int IBV_PORT_ARMED = 3;
        public static final int IBV_PORT_ACTIVE = 4;

        public static final int IBV_LINK_LAYER_INFINIBAND = 1;
        public static final int IBV_LINK_LAYER_ETHERNET = 2;

        public static final int IBV_WC_RECV = 128;

        private Const() {}
    }

    /** {@code link_layer} of Apple's Thunderbolt ports. In no header: seen on machines. */
    public static final int LINK_LAYER_THUNDERBOLT = 100;

    /** Room given to every {@code ibv_port_attr}, above every size seen. */
    public static final int PORT_ATTR_ROOM = 64;
}
