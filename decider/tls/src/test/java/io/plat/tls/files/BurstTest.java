package io.plat.tls.files;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BurstTest {
    private static final Path DIRECTORY = Path.of("/etc/policy");

    private record Event<T>(WatchEvent.Kind<T> kind, T context) implements WatchEvent<T> {
        @Override
        public int count() {
            return 1;
        }
    }

    private static boolean old(Path file) {
        return file.getFileName().toString().startsWith("old");
    }

    private static WatchEvent<?> event(String text) {
        Path name = Path.of(text.substring(1));
        return switch (text.charAt(0)) {
            case '+' -> new Event<>(ENTRY_CREATE, name);
            case '-' -> new Event<>(ENTRY_DELETE, name);
            case '~' -> new Event<>(ENTRY_MODIFY, name);
            default -> new Event<>(OVERFLOW, "lost");
        };
    }

    /**
     * Events of a directory: + created, - deleted, ~ written; bars separate batches. A file whose name begins with "old" was written long ago.
     */
    @ParameterizedTest
    @CsvSource({
        "'+tmp ~tmp -tmp +policy', true",
        "'+tmp ~tmp | -tmp | +policy', true",
        "'-tmp +policy', true",
        "'-tmp +policy -tmp +other', true",
        "'-tmp +policy ~policy', false",
        "'-tmp +policy | ~policy', false",
        "'~policy | -tmp +policy', true",
        "'~policy', false",
        "'+policy ~policy', false",
        "'+policy', false",
        "'-policy', false",
        "'-policy +policy', false",
        "'-policy +policy~ +policy ~policy', false",
        "'-tmp ~policy +policy', false",
        "'+other ~other -tmp +policy', false",
        "'+other ~other -tmp +policy -other', true",
        "'-tmp +policy ?', false",
        "'+oldpolicy', true",
        "'+oldpolicy ~oldpolicy', false",
        "'+oldpolicy +other', false",
        "'+oldpolicy | +policy | -policy', true",
        "'-oldpolicy', false",
        "'~oldpolicy', false",
        "'', false",
    })
    void renamedOrPreviouslyWrittenFilesAreWhole(String events, boolean whole) {
        Burst burst = new Burst(BurstTest::old);
        for (String together : events.split("\\|", -1)) {
            burst.add(
                    DIRECTORY,
                    together.isBlank()
                            ? List.of()
                            : List.of(together.strip().split(" ")).stream()
                                    .<WatchEvent<?>>map(BurstTest::event)
                                    .toList());
        }
        assertThat(burst.isWhole()).isEqualTo(whole);
    }

    @Test
    void aNameMovedElsewhereIsNoEvidence() {
        Burst burst = new Burst(BurstTest::old);
        burst.add(Path.of("/tmp"), List.of(event("-tmp")));
        burst.add(DIRECTORY, List.of(event("+policy")));
        assertThat(burst.isWhole()).isFalse();
    }
}
