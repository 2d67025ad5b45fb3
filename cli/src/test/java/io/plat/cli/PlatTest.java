package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Internal errors, and unwritable output: one line, and never "no". */
final class PlatTest {
    record Defect(Supplier<Throwable> thrown, String message) {}

    static final List<Defect> DEFECTS = List.of(
            new Defect(() -> new OutOfMemoryError("Java heap space"), "plat: out of memory: Java heap space\n"),
            new Defect(StackOverflowError::new, "plat: internal error: java.lang.StackOverflowError\n"),
            new Defect(
                    () -> new NoClassDefFoundError("io/plat/Gone"),
                    "plat: internal error: java.lang.NoClassDefFoundError: io/plat/Gone\n"),
            new Defect(
                    () -> new IllegalStateException("one\ntwo\u001b[2J"),
                    "plat: internal error: java.lang.IllegalStateException: one two\\u001b[2J\n"));

    @ParameterizedTest
    @FieldSource("DEFECTS")
    void internalErrorIsOneLineAndNotADenial(Defect defect) {
        CommandRun run = CommandRun.plat(new FailingInput(defect.thrown), "review", "-f", "-");

        assertThat(run).isEqualTo(new CommandRun(3, "", defect.message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "--help", "can-i --help", "completion bash"})
    void unwritableOutputIsUndetermined(String arguments) {
        CommandRun run = CommandRun.plat(InputStream.nullInputStream(), new FullDisk(), arguments.split(" "));

        assertThat(run)
                .isEqualTo(new CommandRun(3, "", "plat: cannot write to standard output: No space left on device\n"));
    }

    @Test
    void fullStandardOutputIsIgnoredWithoutOutput() {
        CommandRun run = CommandRun.plat(InputStream.nullInputStream(), new FullDisk(), "nonsense");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).doesNotContain("standard output");
    }

    private static final class FailingInput extends InputStream {
        private final Supplier<Throwable> thrown;

        FailingInput(Supplier<Throwable> thrown) {
            this.thrown = thrown;
        }

        @Override
        public int read() {
            switch (thrown.get()) {
                case Error error -> throw error;
                case RuntimeException exception -> throw exception;
                case Throwable other -> throw new AssertionError(other);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return read();
        }
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }
}
