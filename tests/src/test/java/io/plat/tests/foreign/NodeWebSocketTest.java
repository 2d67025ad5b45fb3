package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A third WebSocket client besides the JDK's and Jetty's: that of Node.js. */
class NodeWebSocketTest {
    private static final String SCRIPT = """
            const socket = new WebSocket(process.argv[1], 'a-protocol');
            socket.onmessage = message => {
              const event = JSON.parse(message.data);
              console.log(event.type, event.object.metadata.name, socket.protocol);
            };
            socket.onclose = close => console.log('closed', close.code);
            socket.onerror = error => console.log('error', error.message);
            """;

    @Test
    void readsEventsUntilTheEnd() throws IOException {
        assumeTrue(Command.installed("node"), "node is not installed");
        assumeTrue(
                Command.of("node", "--experimental-websocket", "-p", "typeof WebSocket")
                        .run()
                        .out()
                        .startsWith("function"),
                "this node has no WebSocket");
        try (StandaloneServer server = StandaloneServer.start()) {
            String path = "/api/v1/namespaces/default/configmaps";
            server.client().post(server.at(path), "{\"metadata\":{\"name\":\"seen\"},\"data\":{\"a\":\"b\"}}");
            String target = server.at(path + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dseen")
                    .toString()
                    .replaceFirst("^https", "wss");
            CompletedProcess run = Command.of("node", "--experimental-websocket", "-e", SCRIPT, target)
                    .withEnvironment("NODE_EXTRA_CA_CERTS", server.pki().file("ca.crt"))
                    .run();
            assertThat(run.out()).as(run.err()).isEqualTo("ADDED seen a-protocol\nclosed 1000\n");
        }
    }
}
