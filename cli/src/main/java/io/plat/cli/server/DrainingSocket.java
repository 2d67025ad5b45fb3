package io.plat.cli.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A socket that reads the peer's last message after a failed write. A server that rejects a client sends the reason and closes, often while the
 * client is still sending; TLS sockets fail at the write and never read it. Here unsendable data is dropped, and reading detects the end.
 */
public final class DrainingSocket extends Socket {
    @Override
    public OutputStream getOutputStream() throws IOException {
        return new DiscardingOutput(super.getOutputStream());
    }

    private static final class DiscardingOutput extends FilterOutputStream {
        private boolean stopped;

        DiscardingOutput(OutputStream out) {
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
