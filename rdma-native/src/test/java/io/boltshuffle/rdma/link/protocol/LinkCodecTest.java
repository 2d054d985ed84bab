package io.boltshuffle.rdma.link.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkCodecTest {

    /** Line ends, an escape sequence, Unicode's line separator, and text turned round; a letter of two chars stays. */
    @Test
    void aPeersReasonForgesNoLines() {
        LinkMessage.Down sent = new LinkMessage.Down("a\r\nb\u001b[2Jc\u2028d\u202ee \ud835\udc65");

        assertThat(LinkCodec.decode(LinkCodec.encode(sent)))
                .isEqualTo(new LinkMessage.Down("a  b [2Jc d e \ud835\udc65"));
    }
}
