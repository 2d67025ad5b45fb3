package io.plat.cli.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A socket that reads what its peer said before it stopped reading. A server that refuses a client says why and closes, often while
 * the client still sends; whoever gives up at the failed write, as TLS sockets do, never reads it. So what can't be sent any more is
 * dropped, and the end is found by reading.
 */
public final class HearingSocket extends Socket {
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
