package io.plat.cli.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A socket that reads the peer's last message after a failed write. A server that rejects a client sends the reason and closes, often while the
 * client is still sending; TLS sockets give up at the failed write and never read it. So data that can't be sent is dropped, and the end is
 * found by reading.
 */
public final class DrainingSocket extends Socket {
    @Override
    public OutputStream getOutputStream() throws IOException {
        return new Deaf(super.getOutputStream());
    }

    private static final class Deaf extends FilterOutputStream {
        private boolean stopped;

        Deaf(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            if (!stopped) {
                try {
                    out.write(bytes, from, length);
                } catch (IOException peerStopped) {
                    stopped = true;
                }
            }
        }
    }
}
