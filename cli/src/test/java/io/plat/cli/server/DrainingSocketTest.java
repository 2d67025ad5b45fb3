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
    private static final byte[] MESSAGE = "certificate unknown".getBytes(StandardCharsets.US_ASCII);

    @Test
    void responseSentBeforeTheCloseIsRead() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = resetConnection(server, new DrainingSocket())) {
            OutputStream out = socket.getOutputStream();
            out.write(MESSAGE);
            out.write(MESSAGE);
            out.write('!');
            out.flush();
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(MESSAGE);
        }
    }

    @Test
    void otherSocketsReportABrokenPipe() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = resetConnection(server, new Socket())) {
            OutputStream out = socket.getOutputStream();
            assertThatThrownBy(() -> out.write(MESSAGE)).isInstanceOf(IOException.class);
        }
    }

    /** A connection whose peer has sent data and reset it before anything is sent. */
    private static Socket resetConnection(ServerSocket server, Socket socket) throws IOException {
        socket.connect(server.getLocalSocketAddress());
        try (Socket accepted = server.accept()) {
            accepted.getOutputStream().write(MESSAGE);
            accepted.setSoLinger(true, 0);
        }
        return socket;
    }
}
