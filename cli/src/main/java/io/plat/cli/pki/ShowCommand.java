package io.plat.cli.pki;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.review.json.JsonFactories;
import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat pki show}: what certificates say. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows what certificates say: subject, issuer, validity, names, usages.",
        footer = {"", "Example:", "  plat pki show pki/decider.crt"})
final class ShowCommand implements Callable<Integer> {
    private static final JsonFactory JSON = JsonFactories.create();

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "PEM files")
    private List<Path> files = new ArrayList<>();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        List<CertificateFacts> facts = new ArrayList<>();
        for (Path file : files) {
            facts.addAll(read(file));
        }
        PrintWriter out = command.commandLine().getOut();
        OutputFormat format = Plat.of(command).format();
        out.print(
                switch (format) {
                    case TEXT -> text(facts);
                    case JSON, YAML -> document(facts, format);
                });
        out.flush();
        return ExitStatus.YES;
    }

    private static List<CertificateFacts> read(Path file) {
        try {
            List<X509Certificate> certificates = PemCertificates.read(PemSource.file(file));
            return certificates.stream()
                    .map(certificate -> CertificateFacts.of(file.toString(), certificate))
                    .toList();
        } catch (PemException e) {
            throw CommandException.couldNotTell(String.valueOf(e.getMessage()));
        }
    }

    private static String text(List<CertificateFacts> all) {
        StringBuilder text = new StringBuilder();
        for (CertificateFacts facts : all) {
            text.append(text.isEmpty() ? "" : "\n").append(facts.text());
        }
        return text.toString();
    }

    private static String document(List<CertificateFacts> all, OutputFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartArray();
            for (CertificateFacts facts : all) {
                facts.write(json);
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        try {
            return JsonDocument.print(bytes.toByteArray(), format);
        } catch (IOException e) {
            throw new UncheckedIOException("reading what was just written", e);
        }
    }
}
