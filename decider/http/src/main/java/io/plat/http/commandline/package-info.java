/**
 * A server's command line: long flags, declared once, parsed together. Every problem is found before any is reported. Help is a text beside the
 * program, from which the declarations take names and defaults of flags. Flags behave as those of kube-apiserver.
 *
 * <p>Only the syntax of values is validated here. The program that opens a file checks whether it exists.
 */
@NullMarked
package io.plat.http.commandline;

import org.jspecify.annotations.NullMarked;
