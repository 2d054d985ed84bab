/* Layer 8, programs. Topology files, right and wrong. */
#include "harness.h"

#include "../topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_text(const char *text, struct vtb_topology *topology) {
    char path[] = "/tmp/vtbtopology.XXXXXX";
    int file = mkstemp(path);
    EXPECT(file >= 0);
    EXPECT_EQUAL(write(file, text, strlen(text)), (ssize_t) strlen(text));
    EXPECT_EQUAL(close(file), 0);
    int rc = vtb_topology_read(path, topology);
    EXPECT_EQUAL(unlink(path), 0);
    return rc;
}

static void a_topology_says_who_is_cabled_to_whom(void) {
    static struct vtb_topology topology;
    EXPECT_EQUAL(read_text("# two hosts\n"
                           "profile linux # rules first\n"
                           "option queue_pairs 7\n"
                           "state /somewhere\n"
                           "host mac1\n"
                           "host mac2\n"
                           "cable blue mac1:en5 mac2:en6 gbps 40\n"
                           "cable slow mac1:en8 mac2:en8 bytes_per_second 125000000 gbps 20\n"
                           "port mac2:en7 ipv4 192.168.7.1\n"
                           "cable card mac1:mcrdma5 mac2:mcrdma0\n", &topology), 0);
    EXPECT_EQUAL(topology.rules.queue_pairs, 7);
    EXPECT(topology.rules.reliable && !topology.rules.apple);
    EXPECT(!strcmp(topology.state, "/somewhere"));
    EXPECT_EQUAL(topology.port_count, 7);
    EXPECT_EQUAL(vtb_topology_host(&topology, "mac2"), 1);
    EXPECT_EQUAL(vtb_topology_cable(&topology, "blue"), 0);
    EXPECT(topology.cables[0].gbps == 40);
    EXPECT_EQUAL(topology.cables[0].bytes_per_second, 0);
    EXPECT(topology.cables[1].gbps == 20);
    EXPECT_EQUAL(topology.cables[1].bytes_per_second, 125000000);
    int port = vtb_topology_port(&topology, "mac2:en6");
    EXPECT_EQUAL(topology.ports[port].end, 1);
    EXPECT_EQUAL(topology.ports[port].cable, 0);
    port = vtb_topology_port(&topology, "mac2:en7");
    EXPECT_EQUAL(topology.ports[port].cable, -1);
    EXPECT_EQUAL(topology.ports[port].ipv4, 0xc0a80701);
    EXPECT_EQUAL(vtb_topology_port(&topology, "mac1:en7"), -1);
    EXPECT(vtb_topology_port(&topology, "mac1:mcrdma5") != vtb_topology_port(&topology, "mac1:en5"));
    EXPECT_EQUAL(vtb_topology_port(&topology, "mac2:mcrdma5"), -1);
    port = vtb_topology_port(&topology, "mac2:mcrdma0");
    EXPECT_EQUAL(vtb_topology_rules(&topology, (uint32_t) port)->queue_pairs, 64);
}

static void a_wrong_topology_is_refused(void) {
    static struct vtb_topology topology;
    static const char *const wrong[] = {
        "hosts a\n",
        "host\n",
        "host a\nhost a\n",
        "host a:b\n",
        "host a\ncable c a:en1 b:en1\n",
        "host a\ncable c a:en1 a:en1\n",
        "host a\ncable c a:en1 a:en2 gbps 0\n",
        "host a\ncable c a:en1 a:en2 mbps 5\n",
        "host a\ncable c a:en1 a:en2 bytes_per_second\n",
        "host a\ncable c a:en1 a:en2 bytes_per_second 0\n",
        "host a\ncable c a:en1 a:en2 bytes_per_second 1.5\n",
        "host a\ncable c a:en1 a:en2 bytes_per_second 1000000000001\n",
        "host a\ncable c a:en1 a:en2\ncable c a:en3 a:en4\n",
        "host a\ncable c a:en1 a:en2\ncable d a:en2 a:en4\n",
        "host a\ncable c a:en1 a:mcrdma1\n",
        "host a\nport a:eth0\n",
        "host a\nport a:en1 ipv4 300.1.1.1\n",
        "profile windows\n",
        "os 25\n",
        "mode ud\n",
        "option queue_pairs 65\n",
        "option queue_pairs -1\n",
        "option credits maybe\n",
        "option nothing 1\n",
        "option credits on\nprofile linux\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (read_text(wrong[i], &topology) != -1) {
            fail_at(__FILE__, __LINE__, wrong[i], (long long) i);
        }
    }
}

const struct test topology_tests[] = {
    {"aTopologySaysWhoIsCabledToWhom", "", a_topology_says_who_is_cabled_to_whom},
    {"aWrongTopologyIsRefused", "", a_wrong_topology_is_refused},
    {NULL, NULL, NULL},
};
