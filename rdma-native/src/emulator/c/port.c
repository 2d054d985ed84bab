#include "port.h"

#include "bounce.h"
#include "futex.h"

/* No process number comes into use again within so short a time. */
static const uint64_t PEER_TRUST = 1000000;

bool vtb_context_active(const struct ibv_context *ibv) {
    const struct vtb_context *context = (const struct vtb_context *) ibv;
    const struct vtb_cable_state *cable = context->port->cable;
    if (!cable) {
        return false;
    }
    return cable->looks_active || (cable->pulled == VTB_PLUGGED && cable->epoch == context->epoch);
}

bool vtb_port_carries(const struct vtb_port *port) {
    return port->cable && port->cable->pulled == VTB_PLUGGED && !port->cable->held;
}

bool vtb_port_peer_lives(struct vtb_port *port, uint32_t user) {
    uint64_t now = vtb_now();
    if (now - port->peer_seen[user] > PEER_TRUST) {
        if (!vtb_fabric_user_alive(port->fabric, (uint32_t) port->peer, user)) {
            return false;
        }
        port->peer_seen[user] = now;
    }
    return true;
}

bool vtb_port_quiesce(struct vtb_port *port) {
    pthread_mutex_lock(&port->lock);
    pthread_mutex_unlock(&port->lock);
    if (port->peer < 0) {
        return true;
    }
    bool quiet = vtb_fabric_quiesce(port->fabric, (uint32_t) port->peer);
    vtb_bounce_quiesce(port);
    return quiet;
}
