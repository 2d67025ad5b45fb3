package io.plat.apiserver;

import io.plat.http.process.Rehearsal;
import java.io.IOException;
import java.util.List;

/** Training run at build time, after which the JVM starts faster; see {@link Rehearsal}. */
public final class ApiServerRehearsal {
    private static final int ROUNDS = 150;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private ApiServerRehearsal() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Rehearsal rehearsal = new Rehearsal()) {
            List<String> flags = List.of(
                    "--authorization-mode=RBAC",
                    "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                    "--data-dir=" + rehearsal.file("data"));
            addRequests(rehearsal);
            // Twice: the second start finds objects.
            for (int life = 0; life < 2; life++) {
                rehearsal.run(new ApiServerProgram(), flags);
            }
        }
    }

    private static void addRequests(Rehearsal rehearsal) {
        rehearsal.request("GET", "/readyz", "");
        rehearsal.request("GET", "/api", "");
        rehearsal.request("GET", "/apis", "");
        rehearsal.request("GET", "/metrics", "");
        for (int round = 0; round < ROUNDS; round++) {
            String name = "rehearsed-" + round;
            rehearsal.request("POST", CONFIG_MAPS, configMap(name, "first"));
            rehearsal.request("GET", CONFIG_MAPS + "/" + name, "");
            rehearsal.request("PUT", CONFIG_MAPS + "/" + name, configMap(name, "second"));
            if (round % 10 == 0) {
                rehearsal.request("GET", CONFIG_MAPS, "");
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            rehearsal.request("DELETE", CONFIG_MAPS + "/rehearsed-" + round, "");
        }
    }

    private static String configMap(String name, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\",\"labels\":{\"app\":\"rehearsal\"}},\"data\":{\"key\":\"" + value + "\"}}";
    }
}
