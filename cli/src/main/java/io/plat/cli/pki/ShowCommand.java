package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.review.source.Quoted;
import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateUsage;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plat pki show}: contents of certificates. */
@Command(name = "show", mixinStandardHelpOptions = true)
final class ShowCommand extends PlatCommand {
    @Parameters(paramLabel = "FILE", arity = "1..*")
    private List<Path> files = new ArrayList<>();

    @Override
    public int run(Program plat) {
        List<CertificateFacts> facts = new ArrayList<>();
        for (Path file : files) {
            facts.addAll(read(file, plat.environment().clock().instant()));
        }
        plat.print(
                report -> report.print(facts.stream()
                        .map(CertificateFacts::text)
                        .collect(Collectors.joining("\n"))
                        .stripTrailing()),
                () -> JsonAnswer.of(
                        facts.stream().map(CertificateFacts::document).toList()));
        return ExitStatus.YES;
    }

    private static List<CertificateFacts> read(Path file, Instant now) {
        try {
            List<X509Certificate> certificates = PemCertificates.read(PemSource.file(file));
            return certificates.stream()
                    .map(certificate -> CertificateFacts.of(file.toString(), certificate, now))
                    .toList();
        } catch (PemException e) {
            throw CommandException.of(e);
        }
    }

    /**
     * Properties of a certificate.
     *
     * @param texts single values by name, in display order
     * @param lists multiple values, as above
     */
    private record CertificateFacts(Map<String, String> texts, Map<String, List<String>> lists) {
        private static final int WIDTH = 13;

        /** Name of the property whether it is a CA. */
        private static final String AUTHORITY = "authority";

        private static final String YES = "yes";

        /** The time to the end, which programs compute from {@code notAfter}. */
        private static final String EXPIRES = "expires";

        static CertificateFacts of(String file, X509Certificate certificate, Instant now) {
            CertificateNames names = CertificateNames.of(certificate);
            Map<String, String> texts = new LinkedHashMap<>();
            texts.put("file", file);
            texts.put("subject", certificate.getSubjectX500Principal().getName());
            texts.put("issuer", certificate.getIssuerX500Principal().getName());
            texts.put("serial", certificate.getSerialNumber().toString(16));
            texts.put("notBefore", certificate.getNotBefore().toInstant().toString());
            texts.put("notAfter", certificate.getNotAfter().toInstant().toString());
            texts.put(
                    EXPIRES,
                    expiry(Duration.between(now, certificate.getNotAfter().toInstant()))
                            + (now.isBefore(certificate.getNotBefore().toInstant()) ? ", not valid yet" : ""));
            texts.put("key", certificate.getPublicKey().getAlgorithm());
            texts.put(AUTHORITY, certificate.getBasicConstraints() >= 0 ? YES : "no");
            texts.put("fingerprint", "SHA256=" + CertificateNames.fingerprint(certificate));
            Map<String, List<String>> lists = new LinkedHashMap<>();
            lists.put("organizations", names.organizations());
            lists.put("names", PkiCommand.alternatives(names));
            lists.put("usages", usages(certificate));
            return new CertificateFacts(texts, lists);
        }

        private static String expiry(Duration remaining) {
            long days = remaining.abs().toDays();
            String text = days + (days == 1 ? " day" : " days");
            return remaining.isNegative() ? text + " ago" : "in " + text;
        }

        private static List<String> usages(X509Certificate certificate) {
            try {
                List<String> extended = Objects.requireNonNullElse(certificate.getExtendedKeyUsage(), List.of());
                return extended.stream().map(CertificateUsage::title).toList();
            } catch (CertificateParsingException e) {
                return List.of("malformed");
            }
        }

        String text() {
            StringBuilder text = new StringBuilder();
            texts.forEach((name, value) -> line(text, name, value));
            lists.forEach((name, values) -> line(text, name, String.join(", ", values)));
            return text.toString();
        }

        private static void line(StringBuilder text, String name, String value) {
            if (!value.isEmpty()) {
                text.append(name)
                        .append(" ".repeat(Math.max(1, WIDTH + 2 - name.length())))
                        .append(Quoted.oneLine(value))
                        .append('\n');
            }
        }

        Object document() {
            Map<String, Object> document = new LinkedHashMap<>(texts);
            document.remove(EXPIRES);
            document.put(AUTHORITY, YES.equals(texts.get(AUTHORITY)));
            document.putAll(lists);
            return document;
        }
    }
}
