package io.plat.apiserver;

import io.plat.http.process.TrainingRun;
import java.io.IOException;
import java.util.List;

/** Training run at build time, after which the JVM starts faster; see {@link TrainingRun}. */
public final class ApiServerTraining {
    private static final int ROUNDS = 150;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private ApiServerTraining() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (TrainingRun training = new TrainingRun()) {
            List<String> flags = List.of(
                    "--authorization-mode=RBAC",
                    "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                    "--data-dir=" + training.file("data"));
            addRequests(training);
            // Twice: the second start finds objects.
            for (int life = 0; life < 2; life++) {
                training.run(new ApiServerProgram(), flags);
            }
        }
    }

    private static void addRequests(TrainingRun training) {
        training.request("GET", "/readyz", "");
        training.request("GET", "/api", "");
        training.request("GET", "/apis", "");
        training.request("GET", "/metrics", "");
        for (int round = 0; round < ROUNDS; round++) {
            String name = "training-" + round;
            training.request("POST", CONFIG_MAPS, configMap(name, "first"));
            training.request("GET", CONFIG_MAPS + "/" + name, "");
            training.request("PUT", CONFIG_MAPS + "/" + name, configMap(name, "second"));
            if (round % 10 == 0) {
                training.request("GET", CONFIG_MAPS, "");
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            training.request("DELETE", CONFIG_MAPS + "/training-" + round, "");
        }
    }

    private static String configMap(String name, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\",\"labels\":{\"app\":\"training\"}},\"data\":{\"key\":\"" + value + "\"}}";
    }
}
