package io.plat.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DrainingSocketTest {
    private static final byte[] SAID = "certificate unknown".getBytes(StandardCharsets.US_ASCII);

    @Test
    void responseSentBeforeTheCloseIsRead() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = rejected(server, new DrainingSocket())) {
            OutputStream out = socket.getOutputStream();
            out.write(SAID);
            out.write(SAID);
            out.write('!');
            out.flush();
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(SAID);
        }
    }

    @Test
    void otherSocketsReportABrokenPipe() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = rejected(server, new Socket())) {
            OutputStream out = socket.getOutputStream();
            assertThatThrownBy(() -> out.write(SAID)).isInstanceOf(IOException.class);
        }
    }

    /** A connection whose peer has sent data and reset it before anything is sent. */
    private static Socket rejected(ServerSocket server, Socket socket) throws IOException {
        socket.connect(server.getLocalSocketAddress());
        try (Socket accepted = server.accept()) {
            accepted.getOutputStream().write(SAID);
            accepted.setSoLinger(true, 0);
        }
        return socket;
    }
}
