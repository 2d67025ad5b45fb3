/**
 * Driving the three programs as a user does: started from their launchers, spoken to over real TLS, stopped by signals.
 */
@NullMarked
package io.plat.tests.process;

import org.jspecify.annotations.NullMarked;
