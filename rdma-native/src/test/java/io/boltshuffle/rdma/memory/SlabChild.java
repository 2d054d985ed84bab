package io.boltshuffle.rdma.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The other process of {@link SlabProcessTest}. Answers a line for a line. */
final class SlabChild {

    private SlabChild() {}

    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "create" -> create(Path.of(arguments[1], "slab"), Long.parseLong(arguments[2]));
            case "allocate" -> allocate(Path.of(arguments[1], "file"), Long.parseLong(arguments[2]));
            default ->
                read(new SlabDescriptor(
                        new SlabLocation(SlabLocation.Kind.valueOf(arguments[0]), arguments[1]),
                        Long.parseLong(arguments[2]),
                        Long.parseLong(arguments[3]),
                        Long.parseLong(arguments[4])));
        }
    }

    /** Makes a slab, and says how that went. */
    private static void create(Path file, long bytes) {
        try (Slab slab = Slab.create(SlabLocation.file(file), bytes)) {
            System.out.println("made " + slab);
        } catch (SlabException e) {
            System.out.println("refused, file " + (Files.exists(file) ? "left" : "gone") + ": " + e.getMessage());
        }
    }

    /** Takes memory without asking for room before, and says how that went. */
    private static void allocate(Path file, long bytes) throws IOException {
        Files.createFile(file);
        int descriptor = NativeMapping.openFile(file.toString(), NativeMapping.READ_WRITE);
        try {
            NativeMapping.allocate(descriptor, bytes);
            System.out.println("allocated");
        } catch (SlabException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    /** An offset asks for the number there; {@code write} tries to write. Ends with the input. */
    private static void read(SlabDescriptor descriptor) throws IOException {
        try (SlabReader reader = SlabReader.map(descriptor);
                BufferedReader requests =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("mapped");
            for (String request = requests.readLine(); request != null; request = requests.readLine()) {
                System.out.println(request.equals("write") ? write(reader) : number(reader, Long.parseLong(request)));
            }
        }
    }

    private static String number(SlabReader reader, long offset) {
        return String.valueOf(reader.view(offset, Integer.BYTES).getInt());
    }

    private static String write(SlabReader reader) {
        ByteBuffer view = reader.view(0, 1);
        try {
            view.put((byte) 1);
            return "written";
        } catch (ReadOnlyBufferException e) {
            return "read-only";
        }
    }
}
