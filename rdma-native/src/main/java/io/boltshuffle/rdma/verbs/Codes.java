package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.verbs.Abi.Const;
import java.util.Set;

/** Converts between the enums of {@code io.boltshuffle.rdma} and the numbers of the ABI. */
final class Codes {

    private Codes() {}

    static PortState portState(int code) {
        return switch (code) {
            case Const.IBV_PORT_DOWN -> PortState.DOWN;
            case Const.IBV_PORT_INIT -> PortState.INITIALIZING;
            case Const.IBV_PORT_ARMED -> PortState.ARMED;
            case Const.IBV_PORT_ACTIVE -> PortState.ACTIVE;
            default -> PortState.UNKNOWN;
        };
    }

    static LinkLayer linkLayer(int code) {
        return switch (code) {
            case Const.IBV_LINK_LAYER_INFINIBAND -> LinkLayer.INFINIBAND;
            case Const.IBV_LINK_LAYER_ETHERNET -> LinkLayer.ETHERNET;
            case Abi.LINK_LAYER_THUNDERBOLT -> LinkLayer.THUNDERBOLT;
            default -> LinkLayer.UNSPECIFIED;
        };
    }

    static int queuePairType(QueuePairType type) {
        return switch (type) {
            case RELIABLE_CONNECTED -> Const.IBV_QPT_RC;
            case UNRELIABLE_CONNECTED -> Const.IBV_QPT_UC;
        };
    }

    static int access(Set<AccessFlag> flags) {
        int bits = 0;
        for (AccessFlag flag : flags) {
            bits |= switch (flag) {
                case LOCAL_WRITE -> Const.IBV_ACCESS_LOCAL_WRITE;
                case REMOTE_WRITE -> Const.IBV_ACCESS_REMOTE_WRITE;
                case REMOTE_READ -> Const.IBV_ACCESS_REMOTE_READ;
            };
        }
        return bits;
    }

    /** Multiplies the number of lanes by the signalling rate of one; returns 0 for an unknown code. */
    static double gigabitsPerSecond(int width, int speed) {
        int lanes = switch (width) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
        double perLane = switch (speed) {
            case 1 -> 2.5;
            case 2 -> 5;
            case 4, 8 -> 10;
            case 16 -> 14;
            case 32 -> 25;
            case 64 -> 50;
            case 128 -> 100;
            default -> 0;
        };
        return lanes * perLane;
    }
}
