/** Runs of the three programs: started from their launchers, used over TLS, stopped by signals. */
@NullMarked
package io.plat.tests.process;

import org.jspecify.annotations.NullMarked;
